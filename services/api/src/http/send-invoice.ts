import { type Invoice, invoiceAsCsv, invoiceAsJson } from '@mediagate/billing';
import type { Request, Response } from 'express';
import { sendJson } from './exchange';
import { nameOfZone, prefersCsv, type Reader, sendCsv } from './send-csv';

export function sendInvoice(request: Request, response: Response, invoice: Invoice, reader: Reader): void {
  const zone = invoice.timezone === 'UTC' ? '' : `-${nameOfZone(invoice.timezone)}`;
  const name = `invoice-${invoice.month}${zone}`;
  if (prefersCsv(request, response)) sendCsv(response, invoiceAsCsv(invoice), { name, ...reader });
  else sendJson(response, 200, { code: 200, data: invoiceAsJson(invoice) });
}
