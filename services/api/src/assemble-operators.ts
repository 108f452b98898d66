import {
  adjust,
  changeAccount,
  closeAccount,
  listAccounts,
  listLedger,
  openAccount,
  readAccount,
  readCharge,
  refundTask,
  resumeAccount,
  suspendAccount,
  topUp,
} from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import { listActions } from '@mediagate/operators';
import { newWebhookSecret } from '@mediagate/webhooks';
import type { OperatorHandlerDeps } from './operator-handlers';

/** The use cases of operators, over this database. */
export function operatorUseCases(database: Database): OperatorHandlerDeps {
  return {
    listActions: (filter) => listActions(database, filter),
    openAccount: ({ name }, request) => openAccount(database, { name, webhookSecret: newWebhookSecret() }, request),
    readAccount: (id) => readAccount(database, id),
    listAccounts: (query) => listAccounts(database, query),
    changeAccount: (account, request) => changeAccount(database, account, request),
    suspendAccount: (id, request) => suspendAccount(database, id, request),
    resumeAccount: (id, request) => resumeAccount(database, id, request),
    closeAccount: (id, request) => closeAccount(database, id, request),
    topUp: (funding, request) => topUp(database, funding, request),
    adjust: (funding, request) => adjust(database, funding, request),
    refundTask: (refund, request) => refundTask(database, refund, request),
    readCharge: (taskId) => readCharge(database, taskId),
    listLedger: (accountId, page) => listLedger(database, accountId, page),
  };
}
