import { readInvoice } from '@mediagate/billing';
import { readAccount } from '@mediagate/identity';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readMonth } from '../../http/read-month';
import { readReader } from '../../http/send-csv';
import { sendInvoice } from '../../http/send-invoice';
import { accountNotFound } from '../../use-cases/account-refusals';

/** GET /admin/v1/accounts/{account_id}/invoice */
export const adminGetInvoice: OperatorHandler = async ({ request, response }, { database }) => {
  const accountId = String(request.params['account_id']);
  const query = new Query(request);
  const month = readMonth(query);
  const reader = readReader(query);
  query.end();
  if (!(await readAccount(database, accountId))) throw accountNotFound();
  sendInvoice(request, response, await readInvoice(database, accountId, month), reader);
};
