export { LANGUAGES, type Language, toLanguage } from './languages';
export { createMessages, type Messages, type MessagesOptions } from './messages';
export { preferredLanguage } from './preferred-language';
export { say } from './say';
export { translateError } from './translate-error';
export type { Translator } from './translations';
