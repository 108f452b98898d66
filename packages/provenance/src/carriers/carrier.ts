import type { PieceReader, Range } from '../piece-reader';

/** One statement of origin in a file, as its container carries it. */
export interface Carrier {
  /** `aigc`: the label that the Chinese standard GB 45438 puts into metadata. */
  kind: 'c2pa' | 'xmp' | 'aigc';
  /** The statement's own bytes; a JPEG has them in pieces. */
  data: readonly Range[];
  /** The bytes of the container around it, which a signature cannot cover. */
  frame: Range;
  /** The boxes at the top of an MP4, a MOV or an M4A. Undefined where they are not all of the file, and for other containers. */
  boxes?: readonly Box[] | undefined;
}

export interface Box extends Range {
  type: string;
  /** Where its content begins. */
  content: number;
}

/** The result of a walk through a file's headers. */
export interface FoundCarriers {
  carriers: Carrier[];
  /** Why the file may have other statements. Undefined: the walk came to the end, and read all. */
  problem?: string | undefined;
}

export type FindCarriers = (file: PieceReader) => Promise<FoundCarriers>;

export const NO_END = 'its headers do not lead to its end';
