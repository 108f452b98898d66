import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { NamedAddress } from '../entry';
import { AUDIO_TYPES, type FileLimits, MEBIBYTE, VIDEO_TYPES } from '../video/file-limits';

/** A field of a body that names files. */
export interface MediaField {
  /** From the body to the address, by names of fields; null: every item of a list. */
  steps: readonly (string | null)[];
  limits: FileLimits;
}

/** Limits of a file by the word in `mediagate-media`; the schema may set another maximum of bytes. */
export const MEDIA_KINDS: Readonly<Record<string, FileLimits>> = {
  image: limitsOf('image', ['image/jpeg', 'image/png', 'image/webp'], 20),
  video: limitsOf('video', VIDEO_TYPES, 100),
  audio: limitsOf('audio', AUDIO_TYPES, 15),
};

/** The templates say where a vendor gets the addresses: it fetches the files itself. */
function limitsOf(role: FileLimits['role'], contentTypes: readonly string[], mebibytes: number): FileLimits {
  return { role, contentTypes, maxBytes: mebibytes * MEBIBYTE, inspectOnly: true };
}

/** Texts of a schema that `mediagate-media` marks, where `properties` and `items` lead to. */
export function mediaFields(schema: JsonObject, steps: MediaField['steps'] = []): MediaField[] {
  const limits = MEDIA_KINDS[String(schema['mediagate-media'])];
  const own = limits === undefined ? [] : [{ steps, limits: { ...limits, ...sizeOf(schema) } }];
  const { properties, items } = schema;
  const members = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) =>
    isJsonObject(member) ? mediaFields(member, [...steps, name]) : [],
  );
  return [...own, ...members, ...(isJsonObject(items) ? mediaFields(items, [...steps, null]) : [])];
}

function sizeOf({ 'mediagate-max-bytes': maxBytes }: JsonObject): Partial<FileLimits> {
  return typeof maxBytes === 'number' ? { maxBytes } : {};
}

/** Marks of a schema, wherever they stand: as many as `mediaFields` finds, unless one stands where nobody looks. */
export function countMarks(schema: Json): number {
  if (Array.isArray(schema)) return schema.reduce<number>((sum, item) => sum + countMarks(item), 0);
  if (!isJsonObject(schema)) return 0;
  const inner = Object.values(schema).reduce<number>((sum, member) => sum + countMarks(member as Json), 0);
  return inner + (typeof schema['mediagate-media'] === 'string' ? 1 : 0);
}

/** The addresses that a body has in a field, each with its place in the body. */
export function addressesIn(body: JsonObject, { steps }: MediaField): NamedAddress[] {
  return addressesAt(body, steps, '');
}

function addressesAt(value: Json, [step, ...rest]: MediaField['steps'], field: string): NamedAddress[] {
  if (step === undefined) return typeof value === 'string' ? [{ field, url: value }] : [];
  if (step === null) {
    const items = Array.isArray(value) ? value : [];
    return items.flatMap((item, index) => addressesAt(item, rest, `${field}[${index}]`));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return [];
  return addressesAt(value[step] as Json, rest, field === '' ? step : `${field}.${step}`);
}
