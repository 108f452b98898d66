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
};
const SWITCHES = new Set(['tile', 'raw', 'draft', 'hd']);
const SPEEDS = new Set(['relax', 'fast', 'turbo']);

const FLAG = /^--([a-z]+)(?:\s+(\S[\s\S]*))?$/i;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;

/**
 * Reads the flags of a prompt into the fields that they stand for, where a field that was sent wins. Flags that are not
 * known stay where they are, for the vendor; a value that is none is for the schema to refuse.
 */
export function readFlags(body: JsonObject): JsonObject {
  const { prompt } = body;
  if (typeof prompt !== 'string' || !prompt.includes('--')) return body;
  const found: JsonObject = {};
  const words = prompt.split(/\s+(?=--[a-z])/i).flatMap((part) => readPart(part.trim(), found));
  return { ...found, ...sentFields(body), prompt: words.join(' ') };
}

/** What remains of a part of the prompt that begins with a flag, or is none. */
function readPart(part: string, found: JsonObject): string[] {
  const [, name = '', rest = ''] = FLAG.exec(part) ?? [];
  const flag = name.toLowerCase();
  const [value = '', behind = ''] = cut(rest);
  if (flag === 'no' && rest !== '') return set(found, 'negative_prompt', rest, '');
  if (SWITCHES.has(flag)) return set(found, flag, true, rest);
  if (SPEEDS.has(flag)) return set(found, 'speed', flag, rest);
  if (flag === 'niji') {
    found['niji'] = true;
    return NUMBER.test(value) ? set(found, 'version', value, behind) : keep(rest);
  }
  const field = VALUES[flag];
  if (field === undefined || value === '') return keep(part);
  return set(found, field, field !== 'version' && NUMBER.test(value) ? Number(value) : value, behind);
}

function set(found: JsonObject, field: string, value: Json, rest: string): string[] {
  found[field] = value;
  return keep(rest);
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
