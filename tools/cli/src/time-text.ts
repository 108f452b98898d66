/** Unix seconds as ISO 8601, for people; empty where there is no time. */
export function timeText(seconds: number | null): string {
  return seconds === null ? '' : new Date(seconds * 1000).toISOString();
}
