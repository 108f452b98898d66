/** Languages in which callers are told of failures, by their two-letter codes. */
export const LANGUAGES = ['en', 'zh', 'ja', 'ko', 'pt', 'ru', 'fr', 'de', 'id', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that a caller's value names: whitespace around it and letter case do not count. Undefined: none of ours. */
export function toLanguage(value: unknown): Language | undefined {
  if (typeof value !== 'string') return undefined;
  const code = value.trim().toLowerCase();
  return LANGUAGES.find((language) => language === code);
}
