import { beginningOf } from '@mediagate/billing';

/** The error message that says what `readTime` accepts. */
export const ACCEPTED_TIME = ['must_be_time', { example: '2026-11-22, 1795305600' }] as const;

/** Unix seconds, or a day of the zone, UTC by default: its beginning, or as the end of a time its end. */
export function readTime(text: string, dayMs: number, timezone?: string): Date | undefined {
  if (/^\d{1,10}$/.test(text)) return new Date(Number(text) * 1000);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that its month does not have is none, or becomes another one.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) return undefined;
  return beginningOf(day.getTime() + dayMs, timezone);
}
