/** A file of known size that is read where its format points to, wherever it lies. */
export interface ByteSource {
  readonly totalBytes: number;
  /** All of it, where it is in memory anyway. */
  readonly bytes?: Buffer;
  /** Where all of it lies on this machine's disk. */
  readonly path?: string;
  /** The bytes from `start` up to, not including, `end`; fewer where the file ends before. */
  read(start: number, end: number): Promise<Buffer>;
}

export function bufferSource(bytes: Buffer): ByteSource {
  return { totalBytes: bytes.length, bytes, read: async (start, end) => bytes.subarray(start, end) };
}

/** Brings the bytes from `start` up to, not including, `end`, both within the file. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;
