/** Calls `expire` once it has run for `limitMs` in all. */
export function createStopwatch(limitMs: number, expire: () => void): Stopwatch {
  let leftMs = limitMs;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - startedAt;
  }

  function start(): void {
    stop();
    startedAt = performance.now();
    timer = setTimeout(expire, Math.max(0, leftMs));
  }

  return { start, stop };
}

export interface Stopwatch {
  start(): void;
  stop(): void;
}
