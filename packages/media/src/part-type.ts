import { unknownType } from './accept-file';
import { KNOWN_TYPES, sniff, untakenType } from './sniff';

/** A file that stands in the body of a text. */
export interface PartFile {
  /** Where it stands, for messages. */
  field: string;
  /** As its sender calls it; empty: its sender does not say. */
  declared: string;
  base64: string;
  /** Whether the id of a file may stand in its place. */
  takesIds: boolean;
  /** Types of images that the vendors of the model read; asked for where the file is an image. */
  imageTypes(): readonly string[];
  /** The field takes sound alone. */
  isSound?: boolean;
}

/** Types of each kind of file but images, as its first bytes show them. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  audio: KNOWN_TYPES.filter((type) => type.startsWith('audio/')),
  video: KNOWN_TYPES.filter((type) => type.startsWith('video/')),
  pdf: ['application/pdf'],
};
/** Sound without a header. */
const BARE_SOUND = /^audio\/(?:pcm|l16)$/;
const NO_TYPES: readonly string[] = ['', 'application/octet-stream', 'binary/octet-stream'];
/** Letters of base64 for the first bytes, by which a file is recognised. */
const HEAD_LETTERS = 4096;

/**
 * The type of a file by its first bytes, whatever its sender calls it. What they do not show, as a text or a document of an office, is
 * what it is called; but nothing is an image, sound, a video or a PDF by its name alone. Sound in a container of videos is sound.
 *
 * @returns undefined where neither bytes nor name tell.
 * @throws MediaError
 */
export function typeOfPart(part: PartFile): string | undefined {
  const type = judge(part);
  if (part.isSound && type !== undefined && kindOf(type) !== 'audio') throw unknownType(limitsOf(part, 'audio'), type);
  return type;
}

function judge(part: PartFile): string | undefined {
  const [declared = ''] = part.declared.toLowerCase().split(';');
  const head = decodedHead(part.base64);
  // Another rule refuses what is no base64.
  if (head === undefined) return part.declared;
  const known = sniff(head)?.contentType;
  if (known === undefined) return typeByName(part, { declared, head });
  const [kind, called] = [kindOf(known), kindOf(declared)];
  if (kind === 'image') return imageType(part, known);
  if (kind === 'video' && called === 'audio') return part.declared;
  // A name of its own kind that no other type has: `audio/mp3`.
  return kind === called && !KNOWN_TYPES.includes(declared) ? part.declared : known;
}

/** @param called the name of a type that the first bytes cannot tell from the one that they show. */
function imageType(part: PartFile, shown: string, called = shown): string {
  const types = part.imageTypes();
  const type = [called, shown].find((each) => types.includes(each));
  if (type === undefined) throw unknownType(limitsOf(part, 'image'), shown);
  return type;
}

interface UnknownPart {
  declared: string;
  head: Buffer;
}

function typeByName(part: PartFile, { declared, head }: UnknownPart): string | undefined {
  const [isNameless, called] = [NO_TYPES.includes(declared), kindOf(declared)];
  const isText = !isNameless && called === undefined && !head.includes(0);
  const shown = isText ? undefined : untakenType(head);
  if (shown === undefined) {
    if (isNameless) return undefined;
    if (called === undefined || BARE_SOUND.test(declared)) return part.declared;
    throw unknownType(limitsOf(part, called));
  }
  const kind = kindOf(shown);
  if (kind === 'image') return imageType(part, shown, declared === 'image/heif' ? declared : shown);
  // Vendors of texts read more kinds of sound and video than fields of submissions take.
  return kind === called ? part.declared : shown.split(' ')[0];
}

/** Undefined: a text, or a document of another kind. */
function kindOf(contentType: string): string | undefined {
  const [family = '', name = ''] = contentType.split('/');
  return /^pdf\b/.test(name) ? 'pdf' : family === 'image' || Object.hasOwn(TYPES, family) ? family : undefined;
}

function limitsOf({ field, takesIds, imageTypes }: PartFile, kind: string) {
  return { field, takesIds, contentTypes: kind === 'image' ? imageTypes() : (TYPES[kind] ?? []) };
}

function decodedHead(base64: string): Buffer | undefined {
  const letters = base64.slice(0, HEAD_LETTERS).replace(/=+$/, '');
  const head = Buffer.from(letters, 'base64');
  return head.length > 0 && head.length === Math.floor((letters.length * 3) / 4) ? head : undefined;
}
