/** `[[sim:rate-limit*2,latency=3s]]` inside a prompt: a caller of any public API in front can drive any fault. */
const directive = /\[\[sim:([^\][]{1,500})\]\]/gi;

/** The scenario lists named in the prompt, joined; undefined when there is none. Magic words are directives, too. */
export function directiveIn(prompt: string): string | undefined {
  const named = Array.from(prompt.matchAll(directive), ([, list = '']) => list);
  const lists = [...named, ...scenariosOfWords(prompt)];
  return lists.length === 0 ? undefined : lists.join(',');
}

/** The prompt as it is drawn and counted: without directives. */
export function withoutDirectives(prompt: string): string {
  return withoutWords(prompt.replace(directive, ' ')).replace(/\s+/g, ' ').trim();
}

/** Lyrics as they are sung: without directives, line by line as they were. */
export function linesWithoutDirectives(text: string): string {
  return withoutWords(text.replace(directive, '')).trim();
}

/**
 * Words that callers with test keys write into a prompt to have a task fail or take its time, with the scenarios that they stand for.
 * docs/test-keys.md lists the same words; a test compares the two.
 */
export const MAGIC_WORDS: Readonly<Record<string, string>> = {
  'test:fail:content_policy': 'policy-submit',
  // A job ends without a result; an image or a text that is made while its caller waits comes empty.
  'test:fail:upstream_error': 'failed-result,empty-result',
  // In front of any vendor, so that it says the same of all.
  'test:fail:no_upstream': 'gateway-html=503',
  'test:fail:outcome_unknown': 'reset-after',
  // A link that is gone; a file that stands in the answer itself is none that can be read.
  'test:fail:result_unavailable': 'asset-410',
};

/** Words that end with a number of seconds, and the scenarios that last so long. */
const LASTING: Readonly<Record<string, (seconds: number) => string>> = {
  slow: (seconds) => `latency=${seconds}s`,
  throttled: (seconds) => `throttle-rate=${seconds}s`,
  late: (seconds) => `asset-late=${seconds}s`,
};
export const LASTING_WORDS = Object.keys(LASTING).map((word) => `test:${word}`);
/** More would outlast a caller who waits for the answer. */
const MAX_SECONDS = 600;

const WORD = /\btest:(?:fail:[a-z_]{1,40}|[a-z]{4,9}:\d{1,4})(?![\w:])/g;
const TIMED = /^test:([a-z]+):(\d+)$/;

/** The scenario lists of the magic words in a text. Words that are none are left to the prompt. */
function scenariosOfWords(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => scenariosOf(word) ?? []);
}

/** The text without them. */
function withoutWords(text: string): string {
  return text.replace(WORD, (word) => (scenariosOf(word) === undefined ? word : ''));
}

function scenariosOf(word: string): string | undefined {
  const [, kind = '', seconds = ''] = TIMED.exec(word) ?? [];
  if (seconds === '') return MAGIC_WORDS[word];
  return Number(seconds) <= MAX_SECONDS ? LASTING[kind]?.(Number(seconds)) : undefined;
}
