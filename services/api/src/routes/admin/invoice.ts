import type { AccountSummary } from '@mediagate/identity';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readMonth } from '../../http/read-month';
import { sendInvoice } from '../../http/send-invoice';
import { accountNotFound } from '../../use-cases/account-refusals';
import type { InvoiceDeps } from '../balance/get-invoice';

export interface AnyInvoiceDeps extends InvoiceDeps {
  readAccount(id: string): Promise<AccountSummary | undefined>;
}

/** GET /admin/v1/accounts/{account_id}/invoice */
export function createGetAnyInvoice({ readInvoice, readAccount }: AnyInvoiceDeps): OperatorHandler {
  return async ({ request, response }) => {
    const accountId = String(request.params['account_id']);
    const query = new Query(request);
    const month = readMonth(query);
    query.end();
    if (!(await readAccount(accountId))) throw accountNotFound();
    sendInvoice(request, response, await readInvoice(accountId, month));
  };
}
