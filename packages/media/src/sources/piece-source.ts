import { buffer } from 'node:stream/consumers';
import type { MediaStore } from '../media-store';
import type { StoredMedia } from '../stored-media';
import type { ByteSource } from './byte-source';

export interface PieceSourceOptions {
  totalBytes: number;
  /** Brings the bytes from `start` up to, not including, `end`; both within the file. */
  fetch(start: number, end: number): Promise<Buffer>;
  /** The beginning of the file, where it is at hand already. */
  head?: Buffer;
}

/** Asked too often: no file that its format allows to be judged needs this much. */
export class TooManyReadsError extends Error {
  constructor() {
    super(`the file was asked for more than ${MAX_FETCHES} pieces or twice its size`);
    this.name = 'TooManyReadsError';
  }
}

/** The smallest piece worth a request; doubled while a file is read from one end to the other. */
export const FIRST_PIECE_BYTES = 64 * 1024;
const LARGEST_PIECE_BYTES = 2 * 1024 * 1024;
const KEPT_PIECES = 8;
/** The limit of all pieces kept; the newest stays whatever its size. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
const MAX_FETCHES = 200;

interface Piece {
  start: number;
  bytes: Buffer;
}

/**
 * Turns the many small reads of a parser into few requests: the last pieces are kept, and a parser that reads on and on gets
 * ever larger ones. At most 200 requests and twice the file's size (a hostile file can send a parser round in circles);
 * beyond, TooManyReadsError. Kept are at most 8 MB, or one piece that was asked for as a whole.
 */
export function createPieceSource({ totalBytes, fetch, head }: PieceSourceOptions): ByteSource {
  const pieces: Piece[] = head === undefined ? [] : [{ start: 0, bytes: head }];
  const left = { fetches: MAX_FETCHES, bytes: 2 * totalBytes + FIRST_PIECE_BYTES };
  let pieceBytes = FIRST_PIECE_BYTES;
  let nextStart = head?.length ?? 0;

  async function read(start: number, end: number): Promise<Buffer> {
    const last = Math.min(end, totalBytes);
    if (start >= last) return Buffer.alloc(0);
    const piece = pieces.find((kept) => kept.start <= start && last <= kept.start + kept.bytes.length);
    const { start: from, bytes } = piece ?? (await bring(start, last));
    return bytes.subarray(start - from, last - from);
  }

  async function bring(start: number, end: number): Promise<Piece> {
    // A read that begins within the piece before goes on where that one ends, like one that begins right behind it.
    const onwards = start <= nextStart && nextStart < end;
    pieceBytes = onwards ? Math.min(2 * pieceBytes, LARGEST_PIECE_BYTES) : FIRST_PIECE_BYTES;
    const to = Math.min(totalBytes, Math.max(end, start + pieceBytes));
    left.fetches -= 1;
    left.bytes -= to - start;
    if (left.fetches < 0 || left.bytes < 0) throw new TooManyReadsError();
    const piece = { start, bytes: await fetch(start, to) };
    nextStart = to;
    pieces.unshift(piece);
    pieces.splice(countKept(pieces));
    return piece;
  }

  return { totalBytes, read };
}

/** How many of the pieces, the newest first, stay within the bounds. */
function countKept(pieces: readonly Piece[]): number {
  let bytes = 0;
  const beyond = pieces.findIndex((piece, index) => {
    bytes += piece.bytes.length;
    return index > 0 && (index >= KEPT_PIECES || bytes > MAX_KEPT_BYTES);
  });
  return beyond < 0 ? pieces.length : beyond;
}

/** A file in our own storage, of which no more is read than is asked for. Reads reject with MediaGoneError. */
export function storedSource(
  store: Pick<MediaStore, 'open'>,
  { id, bytes }: Pick<StoredMedia, 'id' | 'bytes'>,
): ByteSource {
  const fetch = async (start: number, end: number) => buffer(await store.open(id, { start, end: end - 1 }));
  return createPieceSource({ totalBytes: bytes, fetch });
}
