import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '@mediagate/testkit/servers';

/** One life of a part, from when it is ready. */
export interface Life {
  pid: number;
  exited: Promise<Exit>;
  /** Asks it to end, and ends it when it takes longer than it may. */
  stop(): Promise<void>;
}

export interface Part {
  name: string;
  /**
   * Resolves when it is ready. Tells `spawned` its process as soon as there is one, and gives up when `signal` says so.
   *
   * @throws Error saying why it did not become ready; nothing of it runs then.
   */
  start(context: { signal: AbortSignal; spawned(pid: number): void }): Promise<Life>;
}

export interface Care {
  signal: AbortSignal;
  say(line: string): void;
  onSpawned(pid: number): void;
  onUp(life: Life): void;
  onDown(): void;
  /** The third failure in a row; it is tried on. */
  onFailing(reason: string): void;
  /** Wait before a try, by how many failed in a row before it; the last one is used from then on. */
  backoffMs?: readonly number[];
  /** A part that ends by itself sooner than this did not stay up. */
  settledMs?: number;
}

const TRIES = 3;
const BACKOFF_MS = [250, 1000, 2000, 30_000];
const SETTLED_MS = 5000;

/**
 * The lives of one part, one after the other, until `signal`. What had settled is started again at once; else the wait before
 * each grows with the failures in a row, the third in a row is said plainly, and from then on it is tried at the longest wait.
 * To be killed from outside, or to die after it had settled, is no failure.
 */
export async function keepUp(part: Part, care: Care): Promise<void> {
  const { signal, say, backoffMs = BACKOFF_MS, settledMs = SETTLED_MS } = care;
  let failures = 0;
  let endedWith: string | undefined;

  function fail(reason: string): void {
    failures += 1;
    if (failures < TRIES) say(`${part.name} did not stay up: ${reason}`);
    if (failures !== TRIES) return;
    say(`${part.name} did not stay up ${TRIES} times in a row: ${reason}. ${outlook(backoffMs)}`);
    care.onFailing(reason);
  }

  while (!signal.aborted) {
    let hadSettled = false;
    const { life, reason } = await startOnce(part, care);
    if (life === undefined) {
      if (!signal.aborted) fail(reason);
    } else {
      if (endedWith !== undefined) say(`${part.name} ended (${endedWith}), started again as process ${life.pid}`);
      else if (failures >= TRIES) say(`${part.name} is up now, as process ${life.pid}`);
      const since = Date.now();
      const exit = await life.exited;
      care.onDown();
      endedWith = exit.signal ?? `exit code ${exit.code}`;
      hadSettled = Date.now() - since >= settledMs;
      if (exit.signal === 'SIGKILL' || hadSettled) failures = 0;
      else if (!signal.aborted) fail(endedWith);
    }
    if (!hadSettled) await pause(backoffMs, failures, signal);
  }
}

type Start = { life: Life; reason?: undefined } | { life?: undefined; reason: string };

async function startOnce(part: Part, care: Care): Promise<Start> {
  try {
    const life = await part.start({ signal: care.signal, spawned: care.onSpawned });
    care.onUp(life);
    // It was stopped while it was starting.
    if (care.signal.aborted) await life.stop();
    return { life };
  } catch (error) {
    care.onDown();
    return { reason: (error as Error).message };
  }
}

function outlook(backoffMs: readonly number[]): string {
  return `The others go on; it is tried again every ${(backoffMs.at(-1) ?? 0) / 1000} s.`;
}

/** Resolves early when it is stopped. */
async function pause(backoffMs: readonly number[], failures: number, signal: AbortSignal): Promise<void> {
  const waitMs = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;
  await delay(waitMs, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
