import type { OperatorHandlers } from './http/handler';
import {
  type AccountDeps,
  createGetAccount,
  createListAccounts,
  createMoveAccount,
  createOpenAccount,
  createUpdateAccount,
} from './routes/admin/accounts';
import { type AuditDeps, createListAudits, createRunAudit } from './routes/admin/audits';
import {
  createChangeKey,
  createEndKey,
  createIssueKey,
  createListOperatorKeys,
  createRotateKey,
  type OperatorKeyDeps,
} from './routes/admin/keys';
import { createGetOperator, createListActions, type LogDeps } from './routes/admin/log';
import {
  createAdjustAccount,
  createListAccountLedger,
  createRefundTask,
  createTopUpAccount,
  type MoneyDeps,
} from './routes/admin/money';

export interface OperatorHandlerDeps extends AccountDeps, AuditDeps, LogDeps, MoneyDeps, OperatorKeyDeps {}

/** What does the work of each entry for operators. */
export function createOperatorHandlers(deps: OperatorHandlerDeps): OperatorHandlers {
  return {
    adminGetOperator: createGetOperator(),
    adminListActions: createListActions(deps),
    ...accountHandlers(deps),
    ...keyHandlers(deps),
    adminListAudits: createListAudits(deps),
    adminRunAudit: createRunAudit(deps),
    adminTopUpAccount: createTopUpAccount(deps),
    adminAdjustAccount: createAdjustAccount(deps),
    adminListLedger: createListAccountLedger(deps),
    adminRefundTask: createRefundTask(deps),
  };
}

function accountHandlers(deps: AccountDeps) {
  return {
    adminListAccounts: createListAccounts(deps),
    adminCreateAccount: createOpenAccount(deps),
    adminGetAccount: createGetAccount(deps),
    adminUpdateAccount: createUpdateAccount(deps),
    adminSuspendAccount: createMoveAccount(deps, deps.suspendAccount),
    adminResumeAccount: createMoveAccount(deps, deps.resumeAccount),
    adminCloseAccount: createMoveAccount(deps, deps.closeAccount),
  } satisfies Partial<OperatorHandlers>;
}

function keyHandlers(deps: OperatorKeyDeps) {
  return {
    adminListKeys: createListOperatorKeys(deps),
    adminCreateKey: createIssueKey(deps),
    adminUpdateKey: createChangeKey(deps),
    adminRotateKey: createRotateKey(deps),
    adminRevokeKey: createEndKey(deps),
  } satisfies Partial<OperatorHandlers>;
}
