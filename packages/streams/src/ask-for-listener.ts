import { setTimeout as delay } from 'node:timers/promises';

/** The question or its answer may be lost, or the listener a moment late: it is repeated after this pause, then after twice as long. */
const ASK_AGAIN_MS = 50;

export interface Question<T> {
  /** Resolves with the number of API processes that received the question. */
  ask(): Promise<number>;
  answer: Promise<T | undefined>;
  signal: AbortSignal;
  limitMs: number;
}

/** The answer, or undefined when no process gives one in time. */
export async function askForListener<T>({ ask, answer, signal, limitMs }: Question<T>): Promise<T | undefined> {
  const giveUpAt = performance.now() + limitMs;
  const answered = new AbortController();
  const stop = AbortSignal.any([signal, answered.signal]);
  const first = answer.finally(() => answered.abort());
  for (let pauseMs = ASK_AGAIN_MS; !stop.aborted; pauseMs *= 2) {
    const leftMs = giveUpAt - performance.now();
    if (leftMs <= 0 || (await ask()) === 0) return undefined;
    await delay(Math.min(pauseMs, leftMs), undefined, { signal: stop }).catch(() => undefined);
  }
  return signal.aborted ? undefined : first;
}
