import type { PieceReader, Range } from '../piece-reader';

/** One statement of origin in a file, as its container carries it. */
export interface Carrier {
  /** `aigc`: the label that the Chinese standard GB 45438 puts into metadata. */
  kind: 'c2pa' | 'xmp' | 'aigc';
  /** The statement's own bytes; a JPEG has them in pieces. */
  data: readonly Range[];
  /** The bytes of the container around it, which a signature cannot cover. */
  frame: Range;
}

export type FindCarriers = (file: PieceReader) => Promise<Carrier[]>;
