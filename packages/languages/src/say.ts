import { formatMessage, MESSAGES, type Message } from '@mediagate/contracts';
import { type Language, TEXTS } from './languages';

/** The message in the language, at once; a vendor's own words stay as they are. */
export function say(message: Message, language: Language): string {
  return formatMessage(message, TEXTS.get(language) ?? MESSAGES);
}
