import { type LoadedMedia, listed, type Message, message } from '@mediagate/contracts';
import type { FileOutline, Lack } from './contract';

export function lack(problem: Message, part?: string, most?: number): Lack {
  return {
    message: problem,
    ...(part === undefined ? {} : { part }),
    ...(most === undefined ? {} : { most }),
  };
}

/** The values that one field of a request may hold. `lack` is the message about any other; with a choice it names the value. */
export type FieldLimit =
  | { maxCharacters: number }
  | { maxItems: number }
  | { lack: 'takes_no_stem_type' | 'takes_no_result_format'; oneOf: readonly unknown[] }
  /** The protocol has no word for it, or none for this one value of it. */
  | { lack: ValueLack; never: true }
  | { lack: ValueLack; neverIs: unknown };

type ValueLack =
  | 'takes_no_choice_of_length'
  | 'takes_no_rewritten_lyrics'
  | 'takes_no_described_extensions'
  | 'takes_no_sound_version'
  | 'takes_no_lyrics_model'
  | 'takes_no_wanted_length';

/** By field; what is absent has no limit, and a request without the field breaks none. */
export type FieldLimits<Request> = { readonly [Field in keyof Request]?: FieldLimit };

/** The first of the limits that a request breaks. */
export function fieldLack<Request extends object>(request: Request, limits: FieldLimits<Request>): Lack | undefined {
  for (const [field, limit] of Object.entries(limits) as [keyof Request & string, FieldLimit][]) {
    const value = request[field];
    const broken = value === undefined ? undefined : limitLack(field, value, limit);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function limitLack(field: string, value: unknown, limit: FieldLimit): Lack | undefined {
  if ('maxCharacters' in limit) {
    const { maxCharacters: most } = limit;
    if (typeof value !== 'string' || !isLonger(value, most)) return undefined;
    return lack(message('takes_characters', { limit: most }), field, most);
  }
  if ('maxItems' in limit) return Array.isArray(value) ? countLack(value.length, limit.maxItems, field) : undefined;
  if ('oneOf' in limit) {
    return limit.oneOf.includes(value) ? undefined : lack(message(limit.lack, { name: String(value) }), field);
  }
  return 'never' in limit || value === limit.neverIs ? lack(message(limit.lack), field) : undefined;
}

/** The lack of a protocol that takes at most `most` things of one kind. */
export function countLack(count: number, most: number, part: string): Lack | undefined {
  return count <= most ? undefined : lack(message('takes_items', { limit: most }), part, most);
}

/** Characters are Unicode's: those of two UTF-16 units count once, and a long text is not counted to its end. */
function isLonger(text: string, most: number): boolean {
  return text.length > most && Array.from(text.slice(0, 2 * most + 1)).length > most;
}

/** Callers' files in one role. */
export interface FileLimit {
  maxFiles?: number;
  /** The largest size of each file. */
  maxBytes?: number;
  contentTypes?: readonly string[];
}

export type FileLimits = { readonly [Role in LoadedMedia['role']]?: FileLimit };

/** The first limit that the files break, as far as they are known. */
export function fileLack(files: readonly FileOutline[], limits: FileLimits): Lack | undefined {
  const counts = new Map<string, number>();
  for (const file of files) {
    const limit = limits[file.role] ?? {};
    const count = (counts.get(file.role) ?? 0) + 1;
    counts.set(file.role, count);
    const tooMany = limit.maxFiles === undefined ? undefined : countLack(count, limit.maxFiles, file.field);
    const broken = tooMany ?? oneFileLack(file, limit);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** In the words in which files are refused that no model takes. */
function oneFileLack({ field, contentType, bytes = 0 }: FileOutline, limit: FileLimit): Lack | undefined {
  const { contentTypes, maxBytes = Number.POSITIVE_INFINITY } = limit;
  if (contentType !== undefined && contentTypes?.includes(contentType) === false) {
    return lack(message('file_type_refused', { type: contentType, types: contentTypes.join(', ') }), field);
  }
  if (bytes <= maxBytes) return undefined;
  return lack(message('file_too_large', { bytes, limit: maxBytes }), field, maxBytes);
}

/** Types of images that every vendor reads and any program makes, as messages name them. */
const PLAIN_IMAGES = listed('or', ['JPEG', 'PNG']);

/** The lack of a vendor that reads images of these types alone. */
export function imageLack(type: string, types: readonly string[]): Lack {
  return lack(message('file_type_convert', { type, types: types.join(', '), to: PLAIN_IMAGES }));
}
