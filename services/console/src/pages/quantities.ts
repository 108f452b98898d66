/** Numbers as a person reads them at a glance. */

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** The two largest units: `3 d 4 h`, `12 min 5 s`, `8 s`. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole >= DAY_SECONDS) return `${part(whole, DAY_SECONDS)} d ${part(whole % DAY_SECONDS, HOUR_SECONDS)} h`;
  if (whole >= HOUR_SECONDS) return `${part(whole, HOUR_SECONDS)} h ${part(whole % HOUR_SECONDS, MINUTE_SECONDS)} min`;
  if (whole >= MINUTE_SECONDS) return `${part(whole, MINUTE_SECONDS)} min ${whole % MINUTE_SECONDS} s`;
  return `${whole} s`;
}

function part(seconds: number, unitSeconds: number): number {
  return Math.floor(seconds / unitSeconds);
}

export function bytes(value: number): string {
  return `${Math.round(value / 2 ** 20)} MiB`;
}

export function count(value: number): string {
  return Number.isNaN(value) ? 'unknown' : value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}
