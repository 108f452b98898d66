import { formatMessage, type Language, MESSAGES, type Message, type MessageTexts } from '@mediagate/contracts';
import { german } from './texts/de';
import { spanish } from './texts/es';
import { french } from './texts/fr';
import { indonesian } from './texts/id';
import { japanese } from './texts/ja';
import { korean } from './texts/ko';
import { portuguese } from './texts/pt';
import { russian } from './texts/ru';
import { chinese } from './texts/zh';

export const TEXTS: Readonly<Record<Language, MessageTexts>> = {
  en: MESSAGES,
  zh: chinese,
  ja: japanese,
  ko: korean,
  pt: portuguese,
  ru: russian,
  fr: french,
  de: german,
  id: indonesian,
  es: spanish,
};

/** The message in the language, at once; a vendor's own words stay as they are. */
export function say(message: Message, language: Language): string {
  return formatMessage(message, TEXTS[language]);
}
