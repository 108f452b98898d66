import { ApiError, ConnectionError } from './errors.ts';

/** The gateway, or what stands before it, could not do its work. */
const OF_THE_SERVICE: ReadonlySet<number> = new Set([500, 502, 503, 504]);
/** The request was turned away before anything was done. */
const TURNED_AWAY: ReadonlySet<number> = new Set([408, 429]);

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A caller should learn of a longer wait, and not sit it out. */
const LONGEST_ASKED_SECONDS = 60;

/**
 * How long to wait before a request that failed is sent again. Undefined: it is not.
 *
 * @param retry counts from 0
 * @param repeatable the request may be sent again although the first may have had its effect
 */
export function retryDelayMs(error: unknown, retry: number, repeatable: boolean): number | undefined {
  if (!mayBeRepeated(error, repeatable)) return undefined;
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked <= LONGEST_ASKED_SECONDS ? asked * 1000 : undefined;
  return jitter(Math.min(LONGEST_MS, FIRST_MS * 2 ** retry));
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  return mayBeRepeated(error, true);
}

function mayBeRepeated(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError)) return false;
  return TURNED_AWAY.has(error.status) || (repeatable && OF_THE_SERVICE.has(error.status));
}

/** Spreads retries, so that callers who failed together do not come again together. */
function jitter(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
