import { setTimeout as delay } from 'node:timers/promises';

/** Resolves once it holds; rejects, naming what was awaited, after a limit. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, limitMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(10);
  }
}
