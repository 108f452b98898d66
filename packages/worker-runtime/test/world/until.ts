import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
const LIMIT_MS = 120_000;

/** Resolves with the first value that is neither false nor undefined; rejects, naming what was awaited, after a limit. */
export async function until<T>(
  look: () => Promise<T | false | undefined>,
  what: string,
  limitMs = LIMIT_MS,
): Promise<T> {
  const giveUpAt = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > giveUpAt) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(POLL_MS);
  }
}
