/** As answers tell times. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

export function unixSecondsOrNull(time: Date | null | undefined): number | null {
  return time ? unixSeconds(time) : null;
}

/** A time in Unix seconds with its milliseconds, on which support cases turn. A text is ISO 8601. */
export function exactSeconds(time: Date | string): number {
  return new Date(time).getTime() / 1000;
}

export function exactSecondsOrNull(time: Date | string | null | undefined): number | null {
  return time === null || time === undefined ? null : exactSeconds(time);
}
