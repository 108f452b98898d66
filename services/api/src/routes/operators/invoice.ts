import { readAccount } from '@mediagate/identity';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readMonth } from '../../http/read-month';
import { readReader } from '../../http/send-csv';
import { sendInvoice } from '../../http/send-invoice';
import { accountNotFound } from '../../use-cases/account-refusals';
import { makeInvoice } from '../../use-cases/make-invoice';
import { turnsOfOperators } from '../../use-cases/margin-report';

/** GET /admin/v1/accounts/{account_id}/invoice */
export const adminGetInvoice: OperatorHandler = async ({ request, response }, operators) => {
  const accountId = String(request.params['account_id']);
  const query = new Query(request);
  const month = readMonth(query);
  const reader = readReader(query);
  query.end();
  if (!(await readAccount(operators.database, accountId))) throw accountNotFound();
  const invoice = await makeInvoice(operators.database, accountId, month, turnsOfOperators(operators));
  sendInvoice(request, response, invoice, reader);
};
