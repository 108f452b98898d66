import type { Request, Response } from 'express';

const CSV = 'text/csv';

/** Whether the caller would rather have a table than JSON; the answer says that it may depend on that. */
export function prefersCsv(request: Request, response: Response): boolean {
  response.setHeader('Vary', 'Accept');
  return request.accepts(['application/json', CSV]) === CSV;
}

export function sendCsv(response: Response, body: string): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${CSV}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
