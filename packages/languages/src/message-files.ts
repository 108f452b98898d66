import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, type Language } from './language';

/** Texts by the key of their message; what differs from case to case stands as `{name}`. */
export type MessageFile = Readonly<Record<string, string>>;

const FOLDER = path.join(__dirname, 'message-files');

/** The file of every language. Throws when one cannot be read, or holds anything but texts. */
export function readMessageFiles(): Record<Language, MessageFile> {
  const files = LANGUAGES.map((language) => [language, readMessageFile(language)]);
  return Object.fromEntries(files);
}

function readMessageFile(language: Language): MessageFile {
  const file = path.join(FOLDER, `${language}.json`);
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isMessageFile(content)) throw new Error(`${language}.json must be an object of texts`);
  return content;
}

function isMessageFile(content: unknown): content is MessageFile {
  return (
    typeof content === 'object' && content !== null && Object.values(content).every((text) => typeof text === 'string')
  );
}
