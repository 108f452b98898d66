import type { Language } from './language';
import type { MessageFile } from './message-files';

/** The message in the language; undefined: it is none of the platform's own. */
export type KnownMessages = (message: string, language: Language) => string | undefined;

interface Pattern {
  key: string;
  /** One group for each placeholder, by its name. */
  expression: RegExp;
}

/** Longer than any known message with what stands in it. */
const MAX_CHARACTERS = 2000;
/** Names of the fields that a message is about stand before it, and are the same in every language. */
const FIELDS = /^(?<fields>[\w.[\]]+(?:, [\w.[\]]+)*): (?<rest>.+)$/;

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const MEDIA_TYPE = String.raw`[\w.+-]+/[\w.+-]+`;
/** What a placeholder stands for, where it is no number. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['type', MEDIA_TYPE],
  ['types', `${MEDIA_TYPE}(?:, ${MEDIA_TYPE})*`],
  ['parameter', String.raw`[\w.[\]-]+`],
  ['resolution', String.raw`\w+`],
  ['ratio', String.raw`\w+:\w+`],
  ['name', String.raw`\w+`],
]);

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Recognises the platform's own messages by their English text, as tasks keep it, and says them in another language with
 * the same names and figures. The work is linear in the length of the message.
 */
export function createKnownMessages(files: Readonly<Record<Language, MessageFile>>): KnownMessages {
  const fixed = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [key, text] of Object.entries(files.en)) {
    if (placeholdersOf(text).length === 0) fixed.set(text, key);
    else patterns.push({ key, expression: toExpression(text) });
  }

  function find(message: string, language: Language): string | undefined {
    const key = fixed.get(message);
    if (key !== undefined) return files[language][key];
    for (const pattern of patterns) {
      const found = pattern.expression.exec(message);
      if (found) return fill(files[language][pattern.key], found.groups);
    }
    return undefined;
  }

  return (message, language) => {
    if (message.length > MAX_CHARACTERS) return undefined;
    const whole = find(message, language);
    if (whole !== undefined) return whole;
    const { fields, rest = '' } = FIELDS.exec(message)?.groups ?? {};
    const known = fields === undefined ? undefined : find(rest, language);
    return known && `${fields}: ${known}`;
  };
}

/** The names in a message's text, in its order. */
export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

function toExpression(text: string): RegExp {
  const source = text
    .split(PLACEHOLDER)
    // Every second piece is the name of a placeholder.
    .map((piece, index) => (index % 2 === 0 ? literally(piece) : `(?<${piece}>${FORMS.get(piece) ?? NUMBER})`))
    .join('');
  return new RegExp(`^${source}$`);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function fill(text: string | undefined, values: Readonly<Record<string, string>> = {}): string | undefined {
  return text?.replace(PLACEHOLDER, (placeholder, name: string) => values[name] ?? placeholder);
}
