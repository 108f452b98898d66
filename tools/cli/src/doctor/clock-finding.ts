import type { Finding } from './check';

/** A larger difference makes times that processes compare, as ends of links and of certificates, wrong by what people notice. */
const MAX_SECONDS = 1;

/** A machine that is busy starting this command answers the first question late. */
const TRIES = 10;

/** Asks until the answer came soon enough to tell; undefined: it never did. */
export async function measure(look: () => Promise<number | undefined>): Promise<number | undefined> {
  for (let left = TRIES; left > 0; left -= 1) {
    const seconds = await look();
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/** @param aheadSeconds of this machine's clock; undefined: the answer took too long to tell. */
export function clockFinding(aheadSeconds: number | undefined): Finding {
  if (aheadSeconds === undefined) return { state: 'unknown', found: 'the answer took too long to compare clocks' };
  const seconds = Math.abs(aheadSeconds);
  const side = aheadSeconds > 0 ? 'behind' : 'ahead of';
  if (seconds <= MAX_SECONDS) return { state: 'ok', found: `within ${MAX_SECONDS} s of this machine's` };
  const found = `it is ${seconds.toFixed(1)} s ${side} this machine's`;
  return { state: 'warning', found, action: 'Run a time service (NTP) on both machines.' };
}
