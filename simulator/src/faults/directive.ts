/** `[[sim:rate-limit*2,latency=3s]]` inside a prompt: a caller of any public API in front can drive any fault. */
const directive = /\[\[sim:([^\][]{1,500})\]\]/gi;

/** The scenario lists named in the prompt, joined; undefined when there is none. */
export function directiveIn(prompt: string): string | undefined {
  const lists = Array.from(prompt.matchAll(directive), ([, list = '']) => list);
  return lists.length === 0 ? undefined : lists.join(',');
}

/** The prompt as it is drawn and counted: without directives. */
export function withoutDirectives(prompt: string): string {
  return prompt.replace(directive, ' ').replace(/\s+/g, ' ').trim();
}

/** Lyrics as they are sung: without directives, line by line as they were. */
export function linesWithoutDirectives(text: string): string {
  return text.replace(directive, '').trim();
}
