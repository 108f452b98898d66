export { createMessages, type Messages, type MessagesOptions } from './messages';
export { createTextTranslator } from './text-translator';
export { translateError } from './translate-error';
export type { Translator } from './translations';
