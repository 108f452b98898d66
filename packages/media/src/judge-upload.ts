import type { MediaBytes, Owner } from '@mediagate/contracts';
import { type AcceptedFile, acceptFile, judgeFile } from './accept-file';
import type { Prober } from './inspect/probe';
import { KNOWN_TYPES, sniff } from './sniff';
import { withSourceOf } from './sources/file-source';
import { toStillImage } from './still-image';

export const FILE_KINDS = ['image', 'audio', 'video', 'document'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The largest file that any model takes. */
export const FILE_MAX_BYTES = 100 * 1024 * 1024;
const MAX_PAGES = 10_000;
/** The first bytes, by which an image is recognised. */
const HEAD_BYTES = 4096;

export interface UploadToJudge {
  content: MediaBytes;
  /** The file's name in messages. */
  field: string;
  owner: Owner;
  signal: AbortSignal;
  /** The limit of an image. */
  maxImageBytes: number;
  /** Throws where the process may not hold so many bytes: an image may have to become another in memory. */
  takeMemory(bytes: number): void;
}

/** The kind of file that a type belongs to. */
export function kindOf(contentType: string): FileKind {
  const [family] = contentType.split('/');
  return FILE_KINDS.find((kind) => kind === family) ?? 'document';
}

/**
 * Judges a file that may be of any kind, by its bytes: an image as uploads of images are judged, audio and video by their length, video
 * also by its sides, a PDF by its pages. An image may become another: it is cut at its end, and a GIF becomes a PNG. Throws
 * MediaError, and what `takeMemory` throws.
 */
export function judgeUpload(prober: Prober, upload: UploadToJudge): Promise<AcceptedFile> {
  const { content, field, owner, signal, maxImageBytes, takeMemory } = upload;
  return withSourceOf(content, async (source) => {
    const limits = { field, contentTypes: KNOWN_TYPES, maxBytes: FILE_MAX_BYTES, limits: { maxPages: MAX_PAGES } };
    const head = await source.read(0, HEAD_BYTES);
    if (kindOf(sniff(head)?.contentType ?? '') === 'image') {
      const ofImage = { ...limits, maxBytes: Math.min(maxImageBytes, FILE_MAX_BYTES) };
      return toStillImage(ofImage, await acceptFile(ofImage, content), takeMemory);
    }
    return { ...(await judgeFile(source, limits, { prober, owner, signal })), bytes: content };
  });
}
