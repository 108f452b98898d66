import { currentLanguage } from '../texts/languages.ts';

/** A number of things, or of things in a time, as the reader's language writes it. */
export function countText(value: number | null): string {
  return value === null ? '–' : value.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 });
}
