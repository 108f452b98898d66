import type { Invoice, Month } from '@mediagate/billing';
import type { Call } from '../../http/exchange';
import { Query } from '../../http/query';
import { readMonth } from '../../http/read-month';
import { sendInvoice } from '../../http/send-invoice';

export interface InvoiceDeps {
  readInvoice(accountId: string, month: Month): Promise<Invoice>;
}

/** GET /v1/invoice: of the key's account. */
export function createGetInvoice({ readInvoice }: InvoiceDeps): (call: Call) => Promise<void> {
  return async ({ request, response, caller }) => {
    const query = new Query(request);
    const month = readMonth(query);
    query.end();
    sendInvoice(request, response, await readInvoice(caller.accountId, month));
  };
}
