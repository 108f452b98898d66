import { listed, type MediaBytes, type MediaReference, message, type Owner } from '@mediagate/contracts';
import { endOfImage, upToEnd } from './image-end';
import { DocumentError, type DocumentFacts } from './inspect/document-facts';
import { isPackedDocument } from './inspect/packed-document';
import type { Prober } from './inspect/probe';
import { ProbeError } from './inspect/probe-error';
import { inspectText } from './inspect/text-document';
import { ImageError, type ImageFacts, inspectImage, inspectImageFile, inspectImageHead } from './inspect-image';
import { findExcess, type MediaFacts } from './judge-limits';
import { MediaError } from './media-error';
import { isDocumentType, sniff, soundIn, untakenType } from './sniff';
import type { ByteSource } from './sources/byte-source';
import { withSourceOf } from './sources/file-source';
import type { StoredMedia } from './stored-media';

/** The limits of a field; sizes in bytes. */
export interface FileLimits extends Pick<MediaReference, 'field' | 'maxBytes' | 'contentTypes' | 'limits'> {
  /** False: the field takes the bytes alone, so that no refusal asks for an id in their place. */
  takesIds?: boolean;
}

export type FileFacts = Omit<MediaFacts, 'hasAlpha'>;

/** A caller's file, found good. */
export interface AcceptedFile extends FileFacts {
  bytes: MediaBytes;
}

/** How files that need a parser are taken apart; see `createProber`. */
export interface Inspection {
  prober: Prober;
  /** The file's owner. */
  owner: Owner;
  signal: AbortSignal;
}

/** The first bytes, by which a file is recognised: those of a text must show that it is one. */
const HEAD_BYTES = 4096;

/**
 * Judges a caller's file that is here, in memory or on the disk: its size, its type by its bytes, and what its field allows. An image is
 * cut at its end. Without `inspection`, audio, video and PDF are judged by their type alone, and packed documents have no known type:
 * the worker parses them. Throws MediaError.
 */
export async function acceptFile(
  limits: FileLimits,
  bytes: MediaBytes,
  inspection?: Inspection,
): Promise<AcceptedFile> {
  const { end, ...facts } = await withSourceOf(bytes, (source) => judge(source, limits, inspection));
  return { ...facts, bytes: upToEnd(end, bytes) };
}

/** Judges a file by its source, of which it reads no more than it needs. Throws MediaError, and what the source throws. */
export async function judgeFile(source: ByteSource, limits: FileLimits, inspection?: Inspection): Promise<FileFacts> {
  const { end, ...facts } = await judge(source, limits, inspection);
  return facts;
}

interface Image extends MediaFacts {
  /** Where it ends by its own format, if its bytes are at hand: only the bytes before were judged, so no others are kept. */
  end?: number;
}

async function judge(source: ByteSource, limits: FileLimits, inspection?: Inspection) {
  const { field, maxBytes } = limits;
  if (source.totalBytes > maxBytes) throw tooLarge(limits, source.totalBytes);
  try {
    const { hasAlpha, ...facts } = await readFacts(source, limits, inspection);
    const excess = findExcess({ ...facts, hasAlpha }, limits.limits);
    if (excess !== undefined) throw new MediaError(field, excess);
    return facts;
  } catch (error) {
    if (!(error instanceof ImageError || error instanceof DocumentError)) throw error;
    const transient = error.cause instanceof ProbeError && error.cause.tookTooLong;
    throw new MediaError(field, error.problem, { transient, cause: error });
  }
}

/** Judges a stored file, which was judged before, by its known facts. Throws MediaError. */
export function judgeStored(media: StoredMedia, limits: FileLimits): void {
  if (media.bytes > limits.maxBytes) throw tooLarge(limits, media.bytes);
  const contentType = acceptedType(limits, [media.contentType]);
  const excess = findExcess({ ...factsOf(media), contentType }, limits.limits);
  if (excess !== undefined) throw new MediaError(limits.field, excess);
}

/** The known facts of a stored file. */
export function factsOf({ contentType, width, height, seconds, pages }: StoredMedia): FileFacts {
  return {
    contentType,
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(pages === undefined ? {} : { pages }),
  };
}

export function tooLarge({ field, maxBytes }: FileLimits, bytes: number): MediaError {
  return new MediaError(field, message('file_too_large', { bytes, limit: maxBytes }), { tooLarge: true });
}

async function readFacts(source: ByteSource, limits: FileLimits, inspection?: Inspection): Promise<Image> {
  const head = await source.read(0, HEAD_BYTES);
  if (head.length === 0) throw new MediaError(limits.field, message('file_empty'));
  const known = sniff(head)?.contentType;
  if (known === undefined) return documentFacts(source, limits, { head, inspection });
  const sound = soundIn(known)?.contentType;
  const contentType = acceptedType(limits, sound === undefined ? [known] : [known, sound]);
  switch (contentType.split('/')[0]) {
    case 'image':
      return { contentType, ...(await imageFacts(source, contentType)) };
    case 'video':
    case 'audio':
      return inspection ? playableFacts(known, source, { limits, inspection }) : { contentType };
    default:
      return inspection === undefined || limits.limits?.maxPages === undefined
        ? { contentType }
        : { contentType, pages: await inspection.prober.pdfPages(source, inspection) };
  }
}

async function documentFacts(source: ByteSource, limits: FileLimits, document: HeadOfDocument): Promise<MediaFacts> {
  const found = limits.contentTypes.some(isDocumentType) ? await inspectDocument(source, document) : undefined;
  if (found === undefined) throw unknownType(limits, untakenType(document.head));
  const contentType = acceptedType(limits, found.contentTypes);
  return { contentType, ...(found.pages === undefined ? {} : { pages: found.pages }) };
}

interface HeadOfDocument {
  head: Buffer;
  inspection: Inspection | undefined;
}

/** A document whose first bytes tell no more than the family: Office and iWork files, old Office files, plain text. */
async function inspectDocument(
  source: ByteSource,
  { head, inspection }: HeadOfDocument,
): Promise<DocumentFacts | undefined> {
  if (isPackedDocument(head)) return inspection?.prober.document(source, inspection);
  return inspectText(head, head.length === source.totalBytes);
}

async function imageFacts(source: ByteSource, contentType: string): Promise<Omit<Image, 'contentType'>> {
  const { bytes, path } = source;
  const inspect = bytes ? () => inspectImage(bytes) : path ? () => inspectImageFile(source, path) : undefined;
  if (inspect === undefined) return sidesOf(await inspectImageHead(source));
  // Done before the image library reads it: the library keeps each of millions of segments in memory.
  const end = await endOfImage(source, contentType);
  if (end === undefined) throw new ImageError(message('image_damaged'));
  return { ...sidesOf(await inspect()), end };
}

function sidesOf({ width, height, hasAlpha }: ImageFacts): Omit<Image, 'contentType'> {
  return { width, height, hasAlpha };
}

async function playableFacts(
  known: string,
  source: ByteSource,
  { limits, inspection }: { limits: FileLimits; inspection: Inspection },
): Promise<MediaFacts> {
  const { field } = limits;
  const { seconds, video, audio } = await inspection.prober.playable(source, inspection).catch((error: unknown) => {
    if (!(error instanceof ProbeError)) throw error;
    throw new MediaError(field, error.problem ?? message(`${playableKind(known)}_unreadable`), {
      transient: error.tookTooLong,
      cause: error,
    });
  });
  const sound = video === undefined && audio !== undefined ? soundIn(known)?.contentType : undefined;
  const isSound = sound !== undefined && limits.contentTypes.includes(sound);
  const contentType = isSound ? sound : acceptedType(limits, [known]);
  const kind = playableKind(contentType);
  if (kind === 'video' && video === undefined) throw new MediaError(field, message('no_video'));
  if (kind === 'audio' && audio === undefined) throw new MediaError(field, message('no_sound'));
  if (!(seconds > 0)) throw new MediaError(field, message(`${kind}_without_length`));
  return { contentType, seconds, ...(kind === 'video' && video) };
}

function playableKind(contentType: string): 'video' | 'audio' {
  return contentType.startsWith('video/') ? 'video' : 'audio';
}

/** The first of what the bytes may be that the field takes. */
function acceptedType(limits: TypeLimits, candidates: readonly string[]): string {
  const accepted = candidates.find((candidate) => limits.contentTypes.includes(candidate));
  if (accepted !== undefined) return accepted;
  throw unknownType(limits, candidates[0]);
}

/** Types that an upload makes others of, which fields of images take, as messages name them. */
export const CONVERTED: ReadonlyMap<string, string> = new Map([
  ['image/gif', 'GIF'],
  ['image/avif', 'AVIF'],
]);
const UPLOADS = '/v1/files';
/** Types that any program makes of an image, as messages name them. */
const PLAIN_IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'JPEG'],
  ['image/png', 'PNG'],
]);

type TypeLimits = Pick<FileLimits, 'field' | 'contentTypes' | 'takesIds'>;

/** The refusal of a file by its type, with what to do where something can be done. */
export function unknownType({ field, contentTypes, takesIds = true }: TypeLimits, type?: string): MediaError {
  const types = contentTypes.join(', ');
  if (type === undefined) return new MediaError(field, message('file_type_unknown', { types }));
  const isConverted = takesIds && CONVERTED.has(type) && contentTypes.includes('image/png');
  if (isConverted) return new MediaError(field, message('file_type_converted', { type, types, path: UPLOADS }));
  const plain = [...PLAIN_IMAGES].filter(([each]) => contentTypes.includes(each)).map(([, name]) => name);
  const problem =
    type.startsWith('image/') && plain.length > 0
      ? message('file_type_convert', { type, types, to: listed('or', plain) })
      : message('file_type_refused', { type, types });
  return new MediaError(field, problem);
}
