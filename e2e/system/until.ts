import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const PATIENCE_MS = 120_000;

/** Resolves once it is so. @throws Error when that takes too long. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const limit = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error('it did not come to that');
    await delay(POLL_MS);
  }
}
