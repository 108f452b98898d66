import type { JsonObject, MediaBytes, Output } from '@mediagate/contracts';
import type { Cover } from '../ffmpeg/make-cover';
import type { MediaType } from '../sniff';

/** One result of an upstream as it will be kept: its bytes, and what they are. */
export interface FetchedOutput extends MediaType {
  role: Output['role'];
  /** A file is there until `dispose`. */
  bytes: MediaBytes;
  /** Pixels, of images and video. */
  width?: number;
  height?: number;
  /** Length of audio and video, to the millisecond. */
  seconds?: number;
  /** The first image of a video. */
  cover?: Cover & { madeOf: MadeOf };
  madeOf?: MadeOf;
  /** The parts that were cut out of it, each to be kept as a result by itself. */
  parts?: readonly ImagePart[];
  /** Steps that failed on a result that is one all the same: no cover, not cut. For operators. */
  faults: readonly string[];
  /** To be called once the output is stored, or given up. */
  dispose(): Promise<void>;
}

/** The vendor's own file, where one that is kept was made of it. It is there until `dispose`, too. */
export interface MadeOf {
  bytes: MediaBytes;
  contentType: string;
  /** The work on it, in order and in C2PA's words. */
  actions: readonly ('converted' | 'cropped' | 'trimmed' | 'transcoded')[];
}

/** An image that is measured. */
export type FetchedImage = FetchedOutput & { width: number; height: number };

export interface ImagePart {
  bytes: Buffer;
  contentType: string;
  width: number;
  height: number;
  facts: JsonObject;
  madeOf: MadeOf;
}

/** A result that cannot be had or is none. The message is for operators: it may speak of the upstream. */
export class OutputError extends Error {
  /** Its server failed or was not reached: worth another try at once. */
  readonly transient: boolean;
  /** Nothing of it was received: an upstream may name a file before it is there, so asking much later may help. */
  readonly mayComeLater: boolean;

  constructor(message: string, options: { transient?: boolean; mayComeLater?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutputError';
    this.transient = options.transient ?? false;
    this.mayComeLater = options.mayComeLater ?? false;
  }
}
