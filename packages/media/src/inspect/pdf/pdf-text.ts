import type { ByteSource } from '../../sources/byte-source';
import { createUnpack } from './pdf-stream';
import { asDictionary, type PdfDictionary, PdfSyntaxError, type PdfValue, parsePdfValue } from './pdf-value';

/** A PDF file as something to look things up in. Offsets and lengths in bytes; all throw PdfSyntaxError. */
export interface PdfText {
  /** At most 8 MB; fewer bytes where the file ends. */
  read(offset: number, bytes: number): Promise<Buffer>;
  /** The value at `offset`. */
  value(offset: number): Promise<PdfValue>;
  /** The object at `offset`: `7 0 obj`, and its value. */
  object(offset: number): Promise<{ number: number; value: PdfValue; end: number }>;
  /** The object at `offset`, a stream, and where its data begins. */
  stream(offset: number): Promise<{ dictionary: PdfDictionary; dataOffset: number }>;
  /** The data of a stream, decrypted and unpacked; 16 MB over all streams of the file. */
  data(
    stream: { dictionary: PdfDictionary; dataOffset: number },
    packedBytes: number,
    decrypt?: (packed: Buffer) => Promise<Buffer>,
  ): Promise<Buffer>;
}

/** A stream that holds objects, or says where they stand, is no larger; a thousand pages take a fiftieth. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
/** The bytes that are read for a value at first, and at most: a value may be longer than it looks. */
const VALUE_BYTES = 4 * 1024;
export const MAX_VALUE_BYTES = 1024 * 1024;
const OBJECT = /^[\s\0]*(\d{1,10})[\s\0]+\d{1,5}[\s\0]+obj/;
const STREAM = /^[\s\0]*stream(?:\r\n|\n|\r)/;

export function createPdfText(source: ByteSource): PdfText {
  const unpack = createUnpack();

  async function read(offset: number, bytes: number): Promise<Buffer> {
    if (bytes > MAX_READ_BYTES) throw new PdfSyntaxError('a stream is too large');
    return source.read(offset, offset + bytes);
  }

  /** `parse` on as much text as it takes. */
  async function parseAt<T>(offset: number, parse: (text: Buffer) => T): Promise<T> {
    for (let bytes = VALUE_BYTES; ; bytes *= 8) {
      const text = await read(offset, bytes);
      const isLast = text.length < bytes || bytes >= MAX_VALUE_BYTES;
      try {
        return parse(text);
      } catch (error) {
        if (isLast || !(error instanceof PdfSyntaxError)) throw error;
      }
    }
  }

  function object(offset: number): Promise<{ number: number; value: PdfValue; end: number }> {
    return parseAt(offset, (text) => {
      const [head, number] = OBJECT.exec(text.toString('latin1', 0, 64)) ?? [];
      if (head === undefined) throw new PdfSyntaxError('there is no object where one belongs');
      const { value, end } = parsePdfValue(text, head.length);
      return { number: Number(number), value, end: offset + end };
    });
  }

  async function stream(offset: number): Promise<{ dictionary: PdfDictionary; dataOffset: number }> {
    const { value, end } = await object(offset);
    const [mark] = STREAM.exec((await read(end, 64)).toString('latin1')) ?? [];
    if (mark === undefined) throw new PdfSyntaxError('there is no stream where one belongs');
    return { dictionary: asDictionary(value), dataOffset: end + mark.length };
  }

  const data: PdfText['data'] = async ({ dictionary, dataOffset }, packedBytes, decrypt = async (packed) => packed) =>
    unpack(dictionary, await decrypt(await read(dataOffset, packedBytes)));

  return { read, value: (offset) => parseAt(offset, (text) => parsePdfValue(text, 0).value), object, stream, data };
}
