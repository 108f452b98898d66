import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/** Looks again and again until there is an answer, and gives it; throws when there is none within the time. */
export async function until<T>(limitMs: number, look: () => Promise<T | false>): Promise<T> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== false) return found;
    if (Date.now() > giveUpAt) throw new Error(`not so within ${limitMs / 1000} s`);
    await delay(LOOK_EVERY_MS);
  }
}
