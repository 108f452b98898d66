import type { Json, JsonObject } from '@mediagate/contracts';

/** Fields by the flags that callers write behind a prompt. */
const VALUES: Readonly<Record<string, string>> = {
  ar: 'size',
  aspect: 'size',
  v: 'version',
  version: 'version',
  s: 'stylize',
  stylize: 'stylize',
  c: 'chaos',
  chaos: 'chaos',
  w: 'weird',
  weird: 'weird',
  q: 'quality',
  quality: 'quality',
  iw: 'iw',
  seed: 'seed',
  style: 'style',
  stop: 'stop',
  r: 'repeat',
  repeat: 'repeat',
  bs: 'batch_size',
};
const SWITCHES = new Set(['tile', 'raw', 'draft', 'hd']);
const SPEEDS = new Set(['relax', 'fast', 'turbo']);

/** The flags that change what a job costs its vendor. */
const PAID = new Set([...SPEEDS, 'r', 'repeat', 'bs']);

/** Twice the characters that the schema allows, for those that take two units: what is longer it refuses unread. */
const MAX_READ_UNITS = 2 * 8192;

/** Telephones make one dash of two. */
const FLAG = /^(?:--|\u2014)([a-z]+)(?:(?:\s+|=)(\S[\s\S]*))?$/i;
/** Looks one character back: one that took in the whole space would try it again from each of its characters. */
const BEFORE_FLAG = /(?<=\s)(?=(?:--|\u2014)[a-z])/i;
const NUMBER = /^-?(?:\d{1,15}(?:\.\d{1,9})?|\.\d{1,9})$/;
/** A parameter among words that are handed on behind a flag of their own. */
export const HAS_FLAG = /(?:--|\u2014)[a-z]/i;

/**
 * Reads the flags of a prompt into the fields that they stand for; a field that was sent wins. Unknown flags stay where they
 * are, for the vendor; the schema refuses wrong values.
 */
export function readFlags(body: JsonObject): JsonObject {
  return readWhere(body, () => true);
}

/**
 * The same for prompts that are handed on as they are: only what costs more is read out of them, because a vendor would
 * heed it and nobody would have paid.
 */
export function readPaidFlags(body: JsonObject): JsonObject {
  return readWhere(body, (flag) => PAID.has(flag));
}

/**
 * The same for prompts about an earlier image, which is worked on by its own version: that is paid, and the buttons of
 * the result are those of that version.
 */
export function readPaidFlagsAndVersion(body: JsonObject): JsonObject {
  return readWhere(body, (flag) => PAID.has(flag) || flag === 'niji' || VALUES[flag] === 'version');
}

function readWhere(body: JsonObject, isRead: (flag: string) => boolean): JsonObject {
  const { prompt } = body;
  if (typeof prompt !== 'string' || prompt.length > MAX_READ_UNITS) return body;
  const found: JsonObject = {};
  const words = prompt.split(BEFORE_FLAG).flatMap((part) => {
    const flag = FLAG.exec(part.trim())?.[1];
    return flag !== undefined && isRead(flag.toLowerCase()) ? readPart(part.trim(), found) : [part.trimEnd()];
  });
  return Object.keys(found).length === 0 ? body : { ...found, ...sentFields(body), prompt: words.join(' ').trim() };
}

/** Reads a part of the prompt that begins with a flag, and returns the words that remain in the prompt. */
function readPart(part: string, found: JsonObject): string[] {
  const [, name = '', rest = ''] = FLAG.exec(part) ?? [];
  const flag = name.toLowerCase();
  const [value = '', behind = ''] = cut(rest);
  if (flag === 'no' && rest !== '') return set(found, 'negative_prompt', joined(found['negative_prompt'], rest), '');
  if (SWITCHES.has(flag)) return set(found, flag, true, rest);
  if (SPEEDS.has(flag)) return set(found, 'speed', flag, rest);
  if (flag === 'niji') {
    found['niji'] = true;
    return NUMBER.test(value) ? set(found, 'version', value, behind) : keep(rest);
  }
  const field = Object.hasOwn(VALUES, flag) ? VALUES[flag] : undefined;
  if (field === undefined || value === '') return keep(part);
  return set(found, field, field !== 'version' && NUMBER.test(value) ? Number(value) : value, behind);
}

function set(found: JsonObject, field: string, value: Json, rest: string): string[] {
  found[field] = value;
  return keep(rest);
}

/** A misplaced flag may occur in several texts of the prompt. */
function joined(earlier: Json | undefined, words: string): string {
  return earlier === undefined ? words : `${earlier}, ${words}`;
}

function keep(words: string): string[] {
  return words === '' ? [] : [words];
}

/** The first word, and what stands behind it. */
function cut(text: string): string[] {
  const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return [first, rest];
}

/** Blank fields are missing ones, so they win over nothing. */
function sentFields(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  );
}
