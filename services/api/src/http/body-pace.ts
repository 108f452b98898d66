import type { RequestScope } from './request-scope';

/** How long bodies may take. */
export interface BodyPace {
  /** Time from the first look at a body to its last byte. */
  timeoutMs: number;
  /** At least `MIN_BYTES_PER_SECOND` must arrive in each period of this length. */
  periodMs: number;
}

/** The slowest line that anybody calls from can send this much; a line of half a megabit a second can send four times as much. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/** Reports once when too little has arrived in a period, or not all within the whole time. */
export function watchPace(
  scope: RequestScope,
  { timeoutMs, periodMs }: BodyPace,
  { received, tooSlow }: { received: () => number; tooSlow: () => void },
): void {
  const endsAt = performance.now() + timeoutMs;
  const minBytes = (MIN_BYTES_PER_SECOND * periodMs) / 1000;
  let before = 0;
  function look(): void {
    if (scope.closed) return;
    if (received() - before < minBytes || performance.now() >= endsAt) tooSlow();
    else {
      before = received();
      next();
    }
  }
  // Looks after the reads that are due: if the process itself was busy for a period, the bytes wait to be read.
  const next = () => scope.after(Math.min(periodMs, Math.max(0, endsAt - performance.now())), () => setImmediate(look));
  next();
}
