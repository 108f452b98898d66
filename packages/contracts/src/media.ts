import type { JsonObject } from './json';

/** A file a caller named in a submission, and what it may be at most. */
export interface MediaReference {
  /** Where in the body it stands, for messages: `image_urls[0]`, `mask_url`. */
  field: string;
  role: 'image' | 'mask' | 'video' | 'audio' | 'document';
  /** http(s) URL or data URL. */
  url: string;
  /** Media types accepted after sniffing, for example `image/png`. */
  contentTypes: readonly string[];
  maxBytes: number;
  /** Further limits, judged before an upstream is paid. */
  limits?: MediaLimits;
  /** The upstream fetches the file itself: it is inspected in as few bytes as its format allows, and not kept. */
  inspectOnly?: boolean;
  /** The job can be done without it, in another way: it is left out where it is gone or does not fit. */
  optional?: boolean;
}

/** Sides in pixels, lengths in seconds; absent: not judged. */
export interface MediaLimits {
  minSide?: number;
  maxSide?: number;
  /** The longer side over the shorter. */
  maxAspect?: number;
  /** Whether the image must have an alpha channel or must have none, whatever its pixels hold. */
  alpha?: 'required' | 'refused';
  minSeconds?: number;
  maxSeconds?: number;
  maxPages?: number;
}

/** A caller's file after it was fetched through the guarded client and sniffed. */
export interface LoadedMedia {
  field: string;
  role: MediaReference['role'];
  contentType: string;
  /** Empty where the reference was to be inspected only. */
  bytes: Buffer;
  /** Pixels; absent for media without an image. */
  width?: number;
  height?: number;
  /** Length of audio and video. */
  seconds?: number;
  pages?: number;
}

/** The known facts of a caller's file: only where the body names it, if nobody has fetched it yet. */
export type KnownMedia = Pick<LoadedMedia, 'field' | 'role'> & Partial<Omit<LoadedMedia, 'bytes'>>;

/** A file that belongs to whoever made it: its first `totalBytes` bytes. */
export interface FileOnDisk {
  path: string;
  totalBytes: number;
  /** The SHA-256 of these bytes, where it was taken while they arrived. */
  sha256?: Buffer;
}

/** The bytes of a medium: in memory where they are few, else in a file. */
export type MediaBytes = Buffer | FileOnDisk;

export function bytesIn(content: MediaBytes): number {
  return Buffer.isBuffer(content) ? content.length : content.totalBytes;
}

/** Formats that a sound can be brought into. */
export const SOUND_FORMATS = ['mp3', 'm4a', 'wav'] as const;
export type SoundFormat = (typeof SOUND_FORMATS)[number];

/** One thing an upstream produced. Bytes when it came in the answer; else a link, fetched through the guarded client. */
export type Output = {
  role: 'image' | 'video' | 'audio' | 'cover';
  contentType?: string;
  /** The vendor made more than was asked for: the kept part ends here. */
  keepSeconds?: number;
  /** The caller asked for this format: the kept file is converted to it where it is another. */
  audioFormat?: SoundFormat;
  /** Four images in one, two by two, that the vendor does not give one by one: they are cut out and kept beside it. */
  isGrid?: boolean;
  /** The vendor's further facts about it: a title, lyrics, its own id for follow-ups. For the task's result. */
  facts?: JsonObject;
} & (
  | { bytes: MediaBytes; url?: never; backupUrl?: never; needsKey?: never }
  | {
      url: string;
      /** The vendor's second link to the same file, for when the first gives nothing. */
      backupUrl?: string;
      /** The vendor gives the file to its key alone, which is shown on the origin of the channel's `base_url` and nowhere else. */
      needsKey?: boolean;
      bytes?: never;
    }
);

/** The usage that the upstream reports. Every number is a count; absent means not reported. */
export interface Usage {
  images?: number;
  videos?: number;
  seconds?: number;
  characters?: number;
  inputTokens?: number;
  /** Parts of `inputTokens`; cached ones are counted inside these. */
  inputTextTokens?: number;
  inputImageTokens?: number;
  cachedTextTokens?: number;
  cachedImageTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
}
