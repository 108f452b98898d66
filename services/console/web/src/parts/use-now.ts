import { useSyncExternalStore } from 'react';

/** Times are shown to the second only while they are fresh; one timer serves the whole page. */
const TICK_MS = 10_000;

const subscribers = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The time in milliseconds, now and every few seconds. */
export function useNow(): number {
  useSyncExternalStore(subscribe, () => ticks);
  // The clock is read anew, so that nothing since the last tick is in the future.
  return Date.now();
}

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    subscribers.delete(subscriber);
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  ticks++;
  for (const subscriber of subscribers) subscriber();
}
