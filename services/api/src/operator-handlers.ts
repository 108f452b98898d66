import type { OperatorHandlers } from './http/handler';
import {
  type AccountDeps,
  createAdjustAccount,
  createGetAccount,
  createOpenAccount,
  createTopUpAccount,
} from './routes/admin/accounts';
import { createGetOperator, createListActions, type LogDeps } from './routes/admin/log';

export interface OperatorHandlerDeps extends AccountDeps, LogDeps {}

/** What does the work of each entry for operators. */
export function createOperatorHandlers(deps: OperatorHandlerDeps): OperatorHandlers {
  return {
    adminGetOperator: createGetOperator(),
    adminListActions: createListActions(deps),
    adminCreateAccount: createOpenAccount(deps),
    adminTopUpAccount: createTopUpAccount(deps),
    adminAdjustAccount: createAdjustAccount(deps),
    adminGetAccount: createGetAccount(deps),
  };
}
