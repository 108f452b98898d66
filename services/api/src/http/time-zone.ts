/** A name of the IANA database, as Asia/Shanghai. An offset is none: PostgreSQL counts them the other way. */
export function readTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    return undefined;
  }
}

/** When the day that begins at `utcMs` in UTC begins in the zone. Where its clocks leave out midnight, it is the moment that they skip to. */
export function beginningOf(utcMs: number, timezone?: string): Date {
  if (timezone === undefined) return new Date(utcMs);
  // Clocks may change between midnight of UTC and that of the zone.
  const near = utcMs - offsetMs(utcMs, timezone);
  return new Date(utcMs - offsetMs(near, timezone));
}

function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(text) ?? ['', '+', '0', '0'];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
}
