import type { Message } from '@mediagate/contracts';
import { toLanguage } from './languages';
import { say } from './say';
import { createTranslations, type Translator } from './translations';

export interface MessagesOptions {
  /** Translates words that are not the platform's own; absent: those words stay as they are. */
  translator?: Translator;
  /** Callers of `translate` that may wait for the translator at the same moment; default 1000. The others get the original. */
  maxWaiting?: number;
  /** Receives each request to the translator that failed; never a message. */
  onFailure?(error: unknown): void;
}

export interface Messages {
  /**
   * The message in the language that a caller named, letter case and whitespace aside. In English when there is none, or none
   * of ours. Never rejects. The platform's own messages take no time; a vendor's words take up to 2 s, and stay as they are
   * where nobody translates them.
   */
  translate(message: Message, language: string | null | undefined): Promise<string>;
}

/** More callers than that wait only when the translator is slow or gone. */
const MAX_WAITING = 1000;

export function createMessages(options: MessagesOptions = {}): Messages {
  const { translator, maxWaiting = MAX_WAITING, onFailure = () => {} } = options;
  const translations = translator && createTranslations({ translator, maxWaiting, onFailure });

  return {
    async translate(message, language) {
      const wanted = toLanguage(language) ?? 'en';
      const { text } = message.params;
      if (message.key !== 'foreign' || typeof text !== 'string' || toLanguage(language) === undefined) {
        return say(message, wanted);
      }
      return (await translations?.(text, wanted)) ?? text;
    },
  };
}
