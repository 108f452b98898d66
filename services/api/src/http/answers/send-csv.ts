import { asCsvText, asExcelText, dayAt, type Invoice, invoiceAsCsv, invoiceAsJson } from '@mediagate/billing';
import type { Request, Response } from 'express';
import { sendJson } from '../exchange';
import type { Query } from '../fields/query';

const CSV = 'text/csv';
/** Without it Excel takes the bytes for those of the system's own encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

interface Range {
  from: Date;
  to: Date;
  timezone?: string | undefined;
}

/** A program reads the table, or Excel. */
export interface Reader {
  isExcel: boolean;
  /** Writes a cell of somebody else's words. */
  asText(value: string): string;
}

export function readReader(query: Query): Reader {
  const isExcel = query.oneOf('excel', ['true', 'false']) === 'true';
  return { isExcel, asText: isExcel ? asExcelText : asCsvText };
}

/** Whether the caller would rather have a table than JSON; the answer says that it may depend on that. */
export function prefersCsv(request: Request, response: Response): boolean {
  response.setHeader('Vary', 'Accept');
  return request.accepts(['application/json', CSV]) === CSV;
}

/** @param name of the file, without its ending. */
export function sendCsv(response: Response, table: string, { name, isExcel }: { name: string } & Reader): void {
  const body = isExcel ? BYTE_ORDER_MARK + table : table;
  response.statusCode = 200;
  response.setHeader('Content-Type', `${CSV}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** The name of a report's file: its days in the zone, the last one included, and the zone where one was asked for. */
export function nameOfReport(of: string, { from, to, timezone }: Range): string {
  const days = `${of}-${dayAt(from.getTime(), timezone)}-${dayAt(to.getTime() - 1, timezone)}`;
  return timezone === undefined ? days : `${days}-${nameOfZone(timezone)}`;
}

/** Part of a file's name. */
function nameOfZone(timezone: string): string {
  return timezone.replaceAll('/', '-');
}

export function sendInvoice(request: Request, response: Response, invoice: Invoice, reader: Reader): void {
  const zone = invoice.timezone === 'UTC' ? '' : `-${nameOfZone(invoice.timezone)}`;
  const name = `invoice-${invoice.month}${zone}`;
  if (prefersCsv(request, response)) sendCsv(response, invoiceAsCsv(invoice), { name, ...reader });
  else sendJson(response, 200, { code: 200, data: invoiceAsJson(invoice) });
}
