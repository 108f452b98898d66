import type { Request } from 'express';

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
