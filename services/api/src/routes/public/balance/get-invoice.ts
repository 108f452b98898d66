import { readInvoice } from '@mediagate/billing';
import type { KeyHandler } from '../../../http/handler';
import { Query } from '../../../http/query';
import { readMonth } from '../../../http/read-month';
import { readReader } from '../../../http/send-csv';
import { sendInvoice } from '../../../http/send-invoice';

/** GET /v1/invoice: of the key's account. */
export const getInvoiceHandler: KeyHandler = async ({ request, response, caller }, { database }) => {
  const query = new Query(request);
  const month = readMonth(query);
  const reader = readReader(query);
  query.end();
  sendInvoice(request, response, await readInvoice(database, caller.accountId, month), reader);
};
