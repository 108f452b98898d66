import { text } from './json-guards';

/** A vendor that asks for more than this is out of service, and the breaker's own pace is the better one. */
const RETRY_AFTER_MAX_MS = 60 * 60 * 1000;

/**
 * The wait that a vendor's headers ask for, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as a
 * date. Undefined when there is none that makes sense. Bounded by one hour.
 */
export function retryAfterFromHeaders(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = bounded(Number.parseFloat(headers['retry-after-ms'] ?? ''));
  if (exact !== undefined) return exact;
  const value = text(headers['retry-after']);
  if (value === undefined) return undefined;
  return /^\d+(\.\d+)?$/.test(value.trim()) ? bounded(Number(value) * 1000) : bounded(Date.parse(value) - nowMs);
}

/** A protobuf duration as it reads in JSON, `34.4s`, in milliseconds. Bounded by one hour. */
export function retryAfterFromDuration(value: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(text(value) ?? '');
  return match ? bounded(Number(match[1]) * 1000) : undefined;
}

function bounded(ms: number): number | undefined {
  if (!Number.isFinite(ms) || ms < 0) return undefined;
  return Math.min(Math.ceil(ms), RETRY_AFTER_MAX_MS);
}
