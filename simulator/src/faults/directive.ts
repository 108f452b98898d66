import { scenariosOfWords, withoutWords } from './magic-words';

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
