import { LANGUAGES, type Language } from './language-names.ts';

const STORED_AS = 'mediagate-language';

/** The one that was chosen, or the first of the browser's that there is. */
export function currentLanguage(): Language {
  const wanted = [localStorage.getItem(STORED_AS) ?? '', ...navigator.languages];
  return wanted.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en';
}

/** Texts and numbers are chosen as they are loaded, so the page begins anew. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORED_AS, language);
  location.reload();
}

function isLanguage(code: string | undefined): code is Language {
  return code !== undefined && code in LANGUAGES;
}
