import { ApiError } from './api-error.ts';
import { ask } from './gateway.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 92;

export const VIEWERS_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of days; UTC once the API has answered by it what it refused in the viewer's: it does not know that, or has too many tasks to read one by one. */
let timezone = VIEWERS_ZONE;

interface DaysWanted {
  days: number;
  group_by: string;
  signal: AbortSignal;
}

interface Days {
  /** Days as 2026-01-31, today last. */
  days: readonly string[];
  query: { from: string; to: string; timezone: string; group_by: string };
}

/** Asks for a report of the last days of the viewer's zone, today included. @throws ApiError */
export async function askByDays<Answer>(path: string, wanted: DaysWanted, asked = timezone): Promise<Answer & Days> {
  const days = lastDays(wanted.days, asked);
  const query = { from: days[0] ?? '', to: days.at(-1) ?? '', timezone: asked, group_by: wanted.group_by };
  try {
    return { ...(await ask<Answer>(path, { query, signal: wanted.signal })), days, query };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 400 && error.param !== 'group_by';
    if (asked === 'UTC' || !isRefused) throw error;
    const answer = await askByDays<Answer>(path, wanted, 'UTC');
    timezone = 'UTC';
    return answer;
  }
}

/** The number of days that the address asks for. */
export function daysWanted(text: string | null): number {
  return Math.min(Math.max(Math.trunc(Number(text ?? DEFAULT_DAYS)) || 1, 1), MAX_DAYS);
}

/** The zone's last days. Canada writes days as the API does. */
function lastDays(count: number, timeZone: string): string[] {
  const today = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format());
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The zone of the days in the reports of the page. */
export function shownZone(): string {
  return timezone;
}
