import { readReader, sendInvoice } from '../../../http/answers/send-csv';
import { Query } from '../../../http/fields/query';
import { readMonth } from '../../../http/fields/query-time';
import type { KeyHandler } from '../../../http/route';
import { makeInvoice, turnsOfAccount } from '../../../use-cases/usage-report';

/** GET /v1/invoice: of the key's account. */
export const getInvoice: KeyHandler = async ({ request, response, caller: { accountId } }, api) => {
  const query = new Query(request);
  const month = readMonth(query);
  const reader = readReader(query);
  query.end();
  const invoice = await makeInvoice(api.database, accountId, month, turnsOfAccount(api, accountId));
  sendInvoice(request, response, invoice, reader);
};
