/** As answers tell times. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

export function unixSecondsOrNull(time: Date | null | undefined): number | null {
  return time ? unixSeconds(time) : null;
}
