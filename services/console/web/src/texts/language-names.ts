/** The languages of the API's refusals, each by its own name, in the order of their codes. */
export const LANGUAGES = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  id: 'Bahasa Indonesia',
  ja: '日本語',
  ko: '한국어',
  pt: 'Português',
  ru: 'Русский',
  zh: '中文',
} as const;

export type Language = keyof typeof LANGUAGES;
