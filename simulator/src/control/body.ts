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

const MAX_WAIT_MS = 60_000;
const DEFAULT_WAIT_MS = 10_000;

/** `?atLeast=n&timeoutMs=`: hold the answer until there are n records, or the time is over. Without it: answer at once. */
export function readWait(request: Request): { atLeast: number; timeoutMs: number } {
  const atLeast = wholeNumber(request.query['atLeast']) ?? 0;
  const timeoutMs = Math.min(wholeNumber(request.query['timeoutMs']) ?? DEFAULT_WAIT_MS, MAX_WAIT_MS);
  return { atLeast, timeoutMs };
}

export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
