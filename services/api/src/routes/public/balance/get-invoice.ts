import type { KeyHandler } from '../../../http/handler';
import { Query } from '../../../http/query';
import { readMonth } from '../../../http/read-month';
import { readReader } from '../../../http/send-csv';
import { sendInvoice } from '../../../http/send-invoice';
import { makeInvoice } from '../../../use-cases/make-invoice';
import { turnsOfAccount } from '../../../use-cases/usage-report';

/** GET /v1/invoice: of the key's account. */
export const getInvoice: KeyHandler = async ({ request, response, caller: { accountId } }, api) => {
  const query = new Query(request);
  const month = readMonth(query);
  const reader = readReader(query);
  query.end();
  const invoice = await makeInvoice(api.database, accountId, month, turnsOfAccount(api, accountId));
  sendInvoice(request, response, invoice, reader);
};
