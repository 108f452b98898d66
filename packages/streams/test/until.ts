import { setTimeout as delay } from 'node:timers/promises';

/** What the look finds, once it is neither undefined nor false; rejects, naming what was awaited, after a limit. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  limitMs = 10_000,
): Promise<Exclude<T, undefined | false>> {
  const giveUpAt = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() > giveUpAt) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(5);
  }
}
