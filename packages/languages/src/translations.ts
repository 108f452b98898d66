import { LRUCache } from 'lru-cache';
import type { Language } from './languages';

/**
 * Says a text in a language; a text that is in it already comes back as it is. May fail, and be called off by the signal at
 * any time, after which nobody waits for its answer.
 */
export type Translator = (text: string, language: Language, signal: AbortSignal) => Promise<string>;

export interface TranslationsOptions {
  translator: Translator;
  /** Callers that may wait at the same moment, whatever for; the others get no translation. */
  maxWaiting: number;
  timeoutMs?: number;
  /** Milliseconds that only go forward; default the process's own. */
  clock?: { now(): number };
  /** Receives each request that failed; never the text. */
  onFailure(error: unknown): void;
}

/** Undefined: there is none, or none in time. Never rejects. */
export type Translations = (text: string, language: Language) => Promise<string | undefined>;

const TIMEOUT_MS = 2000;
/** Requests to the translator at once; a further text gets no translation. */
const MAX_REQUESTS = 32;
const MAX_TEXT_CHARACTERS = 2000;
/** A translation beyond this many times the length of its text, and some more, is something else. */
const MAX_GROWTH = 4;
const MAX_GROWTH_CHARACTERS = 200;
/** Up to some 20 kB each. */
const REMEMBERED = 500;
const REMEMBERED_MS = 24 * 60 * 60 * 1000;
/** How long until the translator is asked again for a text that it failed to translate. */
const FAILURE_REMEMBERED_MS = 30_000;
const FAILED = Symbol('failed');

/**
 * Keeps a translator's work within bounds: nobody waits longer than `timeoutMs`, any number of callers share one request for the
 * same text, and neither an answer nor, for a while, a failure is asked for again.
 */
export function createTranslations(options: TranslationsOptions): Translations {
  const { translator, maxWaiting, timeoutMs = TIMEOUT_MS, clock = performance, onFailure } = options;
  const remembered = new LRUCache<string, string | typeof FAILED>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
    perf: clock,
    ttlResolution: 0,
  });
  const underWay = new Map<string, Promise<string | undefined>>();
  let waiting = 0;

  async function request(key: string, text: string, language: Language): Promise<string | undefined> {
    try {
      const answer = await withinTime((signal) => translator(text, language, signal), timeoutMs);
      const translation = checked(answer, text);
      remembered.set(key, translation);
      return translation;
    } catch (error) {
      remembered.set(key, FAILED, { ttl: FAILURE_REMEMBERED_MS });
      onFailure(error);
      return undefined;
    } finally {
      underWay.delete(key);
    }
  }

  /** The answer to the request for this text that is under way, or to a new one. */
  function answerOf(key: string, text: string, language: Language): Promise<string | undefined> {
    const asked = underWay.get(key);
    if (asked !== undefined) return asked;
    const answer = request(key, text, language);
    underWay.set(key, answer);
    return answer;
  }

  return async (text, language) => {
    if (text.trim() === '' || text.length > MAX_TEXT_CHARACTERS) return undefined;
    const key = `${language} ${text}`;
    const known = remembered.get(key);
    if (known !== undefined) return known === FAILED ? undefined : known;
    const mayAsk = underWay.has(key) || underWay.size < MAX_REQUESTS;
    if (waiting >= maxWaiting || !mayAsk) return undefined;
    waiting += 1;
    try {
      return await answerOf(key, text, language);
    } finally {
      waiting -= 1;
    }
  };
}

/** Rejects when the time is over, also where the work takes no notice of its signal. */
async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const expired = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const expire = () => controller.abort(new Error(`the translator did not answer within ${timeoutMs} ms`));
  const timer = setTimeout(expire, timeoutMs);
  try {
    return await Promise.race([work(signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}

function checked(answer: string, text: string): string {
  const translation = answer.trim();
  if (translation === '') throw new Error('the translator answered nothing');
  if (translation.length > text.length * MAX_GROWTH + MAX_GROWTH_CHARACTERS) {
    throw new Error('the translator answered more than a translation');
  }
  return translation;
}
