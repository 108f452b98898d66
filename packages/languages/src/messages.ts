import { createKnownMessages } from './known-messages';
import { toLanguage } from './language';
import { readMessageFiles } from './message-files';
import { createTranslations, type Translator } from './translations';

export interface MessagesOptions {
  /** Of messages that are not the platform's own; absent: those stay as they are. */
  translator?: Translator;
  /** Callers of `translate` that may wait for the translator at the same moment; default 1000. The others get the original. */
  maxWaiting?: number;
  /** Is told of each request to the translator that failed; never of a message. */
  onFailure?(error: unknown): void;
}

export interface Messages {
  /**
   * The message in the language that a caller named, letter case and whitespace aside. As it is when there is none, or none
   * of the ten, and when nobody knows how to say it. Never rejects. The platform's own messages take no time and always
   * come out the same; others take up to 2 s.
   */
  translate(message: string, language: string | null | undefined): Promise<string>;
}

/** A whole batch with the same words is said in one way. */
const MAX_WAITING = 1000;

/** Reads the translation files, so it is made once, at the start of a process. */
export function createMessages(options: MessagesOptions = {}): Messages {
  const { translator, maxWaiting = MAX_WAITING, onFailure = () => {} } = options;
  const known = createKnownMessages(readMessageFiles());
  const translations = translator && createTranslations({ translator, maxWaiting, onFailure });

  return {
    async translate(message, language) {
      const wanted = toLanguage(language);
      if (wanted === undefined) return message;
      return known(message, wanted) ?? (await translations?.(message, wanted)) ?? message;
    },
  };
}
