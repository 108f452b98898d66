import type { Request, Response } from 'express';
import { parseJson, readBytes } from '../vendor-call/request-body';

const MAX_CONTROL_BYTES = 256 * 1024;

/** The JSON of a control request; undefined when it is too large or no JSON, which no shape allows. */
export async function readControlBody(request: Request): Promise<unknown> {
  const read = await readBytes(request, MAX_CONTROL_BYTES);
  return read.kind === 'bytes' ? parseJson(read.bytes) : undefined;
}

export function badRequest(response: Response, message: string): void {
  response.status(400).json({ error: message });
}
