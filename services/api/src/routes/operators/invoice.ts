import { readAccount } from '@mediagate/identity';
import { readReader, sendInvoice } from '../../http/answers/send-csv';
import { Query } from '../../http/fields/query';
import { readMonth } from '../../http/fields/query-time';
import type { OperatorHandler } from '../../http/route';
import { turnsOfOperators } from '../../use-cases/margin-report';
import { accountNotFound } from '../../use-cases/require-made';
import { makeInvoice } from '../../use-cases/usage-report';

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
