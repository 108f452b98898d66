import { type Language, toLanguage } from './languages';

/** No client that means its header sends a longer one. */
const MAX_CHARACTERS = 200;

/**
 * The language that an `Accept-Language` header prefers: the first of the highest weight that is one of ours, by the part
 * before a region (`de` of `de-CH`). English where there is no header, or none of ours in it.
 */
export function preferredLanguage(header: string | undefined): Language {
  if (header === undefined || header.length > MAX_CHARACTERS) return 'en';
  let [preferred, heaviest]: [Language, number] = ['en', 0];
  for (const range of header.split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const language = toLanguage(tag.split('-')[0]);
    const weight = weightOf(parameters);
    if (language !== undefined && weight > heaviest) [preferred, heaviest] = [language, weight];
  }
  return preferred;
}

function weightOf(parameters: readonly string[]): number {
  const [, written] = parameters.map((parameter) => parameter.trim().split('=')).find(([name]) => name === 'q') ?? [];
  return written === undefined ? 1 : Number(written) || 0;
}
