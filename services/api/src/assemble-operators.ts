import { adjust, openAccount, readAccount, topUp } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import { listActions } from '@mediagate/operators';
import { newWebhookSecret } from '@mediagate/webhooks';
import type { OperatorHandlerDeps } from './operator-handlers';

/** The use cases of operators, over this database. */
export function operatorUseCases(database: Database): OperatorHandlerDeps {
  return {
    listActions: (filter) => listActions(database, filter),
    openAccount: ({ name }, request) => openAccount(database, { name, webhookSecret: newWebhookSecret() }, request),
    topUp: (funding, request) => topUp(database, funding, request),
    adjust: (funding, request) => adjust(database, funding, request),
    readAccount: (id) => readAccount(database, id),
  };
}
