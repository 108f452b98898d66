import { isJsonObject } from '../json';
import {
  MESSAGES,
  type Message,
  type MessageKey,
  type MessageParam,
  type MessageTexts,
  type ParamsOf,
} from './messages';

/** The compiler knows the parameters of each key. */
export function message<Key extends MessageKey>(
  key: Key,
  ...[params]: keyof ParamsOf<Key> extends never ? [] : [ParamsOf<Key>]
): Message {
  return { key, params: params ?? NO_PARAMS };
}

const NO_PARAMS = {};
const PLACEHOLDER = /\{(\w+)\}/g;
/** Messages within messages, as deep as any of ours. */
const MAX_DEPTH = 4;

/** The message in the words of one language. Texts have names and no plurals, so a parser of ICU messages would add nothing. */
export function formatMessage({ key, params }: Message, texts: MessageTexts): string {
  return texts[key].replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : placeholder;
    return typeof value === 'object' ? formatMessage(value, texts) : String(value);
  });
}

export function inEnglish(text: Message): string {
  return formatMessage(text, MESSAGES);
}

/** Names in their order in the text. */
export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** A message as JSON brings it back; undefined: it is none that this release knows. */
export function readMessage(value: unknown, depth = 1): Message | undefined {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return undefined;
  const { key, params } = value;
  if (typeof key !== 'string' || !isMessageKey(key) || !isJsonObject(params)) return undefined;
  const read = Object.entries(params).map(([name, param]) => [name, readParam(param, depth)] as const);
  const isComplete = placeholdersOf(MESSAGES[key]).every((name) => Object.hasOwn(params, name));
  if (!isComplete || read.some(([, param]) => param === undefined)) return undefined;
  return { key, params: Object.fromEntries(read) as Message['params'] };
}

function readParam(value: unknown, depth: number): MessageParam | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : readMessage(value, depth + 1);
}

function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(MESSAGES, key);
}

/** The message with fields called otherwise: `rename` is asked for every parameter that is a text. */
export function renameFields({ key, params }: Message, rename: (name: string) => string): Message {
  const renamed = Object.entries(params).map(([name, value]) => [name, renameParam(value, rename)]);
  return { key, params: Object.fromEntries(renamed) };
}

function renameParam(value: MessageParam, rename: (name: string) => string): MessageParam {
  if (typeof value === 'string') return rename(value);
  return typeof value === 'object' ? renameFields(value, rename) : value;
}

/** `a and b and c`, in every language. */
export function listed(key: 'and' | 'or', names: readonly string[]): MessageParam {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : message(key, { first, rest: listed(key, others) });
}

export function aboutField(field: string, problem: Message): Message {
  return message('about_field', { field, problem });
}
