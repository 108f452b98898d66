import { type Invoice, invoiceAsCsv, invoiceAsJson } from '@mediagate/billing';
import type { Request, Response } from 'express';
import { sendJson } from './exchange';
import { prefersCsv, type Reader, sendCsv } from './send-csv';

export function sendInvoice(request: Request, response: Response, invoice: Invoice, reader: Reader): void {
  const name = `invoice-${invoice.month}`;
  if (prefersCsv(request, response)) sendCsv(response, invoiceAsCsv(invoice), { name, ...reader });
  else sendJson(response, 200, { code: 200, data: invoiceAsJson(invoice) });
}
