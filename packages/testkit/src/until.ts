import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
/** A busy machine may take ten times as long as an idle one, and Jest gives a test three minutes. */
const PATIENCE_MS = 120_000;

/** Looks until there is something. Resolves with the first value that is neither false nor undefined; rejects, naming what it waited for. */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  what = String(look),
): Promise<Exclude<Found, false | undefined>> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found as Exclude<Found, false | undefined>;
    if (performance.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`);
    await delay(POLL_MS);
  }
}
