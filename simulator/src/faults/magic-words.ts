/**
 * What callers with test keys write into a prompt to have a task fail or take its time, and the scenarios that it stands for.
 * docs/test-keys.md lists the same words; a test compares the two.
 */
export const MAGIC_WORDS: Readonly<Record<string, string>> = {
  'test:fail:content_policy': 'policy-submit',
  // A job ends without a result; an image or a text that is made while its caller waits comes empty.
  'test:fail:upstream_error': 'failed-result,empty-result',
  'test:fail:no_upstream': '5xx=503',
  'test:fail:outcome_unknown': 'reset-after',
  'test:fail:result_unavailable': 'asset-410',
};

/** Seconds; more would outlast a caller who waits for the answer. */
const MAX_SLOW_SECONDS = 600;

const WORD = /\btest:(?:fail:[a-z_]{1,40}|slow:\d{1,4})(?![\w:])/g;
const SLOW = /^test:slow:(\d+)$/;

/** The scenario lists of the magic words in a text. Words that are none are left to the prompt. */
export function scenariosOfWords(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => scenariosOf(word) ?? []);
}

/** The text without them. */
export function withoutWords(text: string): string {
  return text.replace(WORD, (word) => (scenariosOf(word) === undefined ? word : ''));
}

function scenariosOf(word: string): string | undefined {
  const [, seconds] = SLOW.exec(word) ?? [];
  if (seconds === undefined) return MAGIC_WORDS[word];
  return Number(seconds) <= MAX_SLOW_SECONDS ? `latency=${seconds}s` : undefined;
}
