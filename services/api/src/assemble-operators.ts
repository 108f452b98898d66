import {
  adjust,
  changeAccount,
  changeKey,
  closeAccount,
  endKey,
  issueKey,
  listAccounts,
  listAudits,
  listKeys,
  listLedger,
  openAccount,
  readAccount,
  readCharge,
  refundTask,
  replaceKeySecret,
  requestAudit,
  resumeAccount,
  suspendAccount,
  topUp,
} from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import { listActions } from '@mediagate/operators';
import { newWebhookSecret } from '@mediagate/webhooks';
import type { FindModels } from './offered-models';
import type { OperatorHandlerDeps } from './operator-handlers';

/** What they stand on. */
export interface OperatorResources {
  database: Database;
  pepper: string;
  models: FindModels;
}

/** The use cases of operators, over this database. */
export function operatorUseCases({ database, pepper, models }: OperatorResources): OperatorHandlerDeps {
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
    models,
    requestAudit: (request) => requestAudit(database, request),
    listAudits: (page) => listAudits(database, page),
    listKeys: (query) => listKeys(database, query),
    issueKey: (order, request) => issueKey(database, pepper, { order, request }),
    changeKey: (key, request) => changeKey(database, key, request),
    replaceKeySecret: (id, request) => replaceKeySecret(database, { id, pepper }, request),
    endKey: (id, request) => endKey(database, id, request),
    listLedger: (accountId, page) => listLedger(database, accountId, page),
  };
}
