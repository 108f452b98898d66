/**
 * A name of the IANA database with a place in it, as Asia/Shanghai, or UTC. Short names, as IST, and offsets mean another time in PostgreSQL,
 * which is to cut the same days.
 */
export function readTimeZone(text: string): string | undefined {
  if (!/^(?:utc|(?!systemv)[a-z]\w*\/.*)$/i.test(text)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    if (timeZone === 'UTC' || timeZone.toLowerCase() === text.toLowerCase()) return timeZone;
    // Another name of the zone stays its caller's, in the usual letter case.
    const isUsual = /[a-z]/.test(text) && /[A-Z]/.test(text);
    return isUsual ? text : text.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  } catch {
    return undefined;
  }
}

const DAY_MS = 86_400_000;

/** The zone's day of a moment, as 2026-01-31: Canada writes days as the API does. */
export function dayAt(atMs: number, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(atMs);
}

/**
 * When the day that begins at `utcMs` in UTC begins in the zone: at the first of its midnights. Where its clocks leave midnight out, it is the
 * moment that they skip to, which their offset before the skip gives.
 */
export function beginningOf(utcMs: number, timezone?: string): Date {
  if (timezone === undefined) return new Date(utcMs);
  const candidates = [-DAY_MS, DAY_MS].map((awayMs) => utcMs - offsetMs(utcMs + awayMs, timezone));
  const midnights = candidates.filter((atMs) => atMs + offsetMs(atMs, timezone) === utcMs);
  return new Date(midnights.length > 0 ? Math.min(...midnights) : Math.max(...candidates));
}

function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(text) ?? ['', '+', '0', '0'];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
}
