import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { asCount, asDictionary, isName, type PdfDictionary, PdfSyntaxError, type PdfValue } from './pdf-value';

const inflateAsync = promisify(inflate);

/** The limit of all streams that say where objects stand, or hold them; in a file of 100,000 objects they take a tenth. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

/** The bytes of a stream as they were before they were packed. Throws PdfSyntaxError. */
export type Unpack = (dictionary: PdfDictionary, packed: Buffer) => Promise<Buffer>;

/** Unpacks the streams of one document, which together come to 16 MB at most: each of them may be kept. */
export function createUnpack(): Unpack {
  let leftBytes = MAX_UNPACKED_BYTES;

  return async (dictionary, packed) => {
    const bytes = await unpackStream(dictionary, packed, leftBytes);
    leftBytes -= bytes.length;
    if (leftBytes < 0) throw new PdfSyntaxError('the streams are too large');
    return bytes;
  };
}

async function unpackStream(dictionary: PdfDictionary, packed: Buffer, maxBytes: number): Promise<Buffer> {
  const [filter, ...more] = listOf(dictionary.get('Filter'));
  if (filter === undefined) return packed;
  if (!isName(filter) || filter.name !== 'FlateDecode' || more.length > 0) {
    throw new PdfSyntaxError('a stream is packed in an unknown way');
  }
  const bytes = await inflateAsync(packed, { maxOutputLength: Math.max(1, maxBytes) }).catch(() => {
    throw new PdfSyntaxError('a stream cannot be unpacked');
  });
  const [parameters] = listOf(dictionary.get('DecodeParms'));
  return parameters === undefined ? bytes : undoPrediction(bytes, asDictionary(parameters));
}

function listOf(value: PdfValue | undefined): PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** As in PNG: each row begins with the way in which it tells only the difference to what stands left and above. */
function undoPrediction(bytes: Buffer, parameters: PdfDictionary): Buffer {
  const predictor = asCount(parameters.get('Predictor') ?? 1);
  if (predictor === 1) return bytes;
  const columns = asCount(parameters.get('Columns') ?? 1);
  const isBytewise = (parameters.get('Colors') ?? 1) === 1 && (parameters.get('BitsPerComponent') ?? 8) === 8;
  if (predictor < 10 || columns === 0 || !isBytewise)
    throw new PdfSyntaxError('a stream is predicted in an unknown way');
  const rows = Math.floor(bytes.length / (columns + 1));
  const output = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const kind = bytes[row * (columns + 1)] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const left = column === 0 ? 0 : (output[at - 1] ?? 0);
      const above = row === 0 ? 0 : (output[at - columns] ?? 0);
      const corner = column === 0 || row === 0 ? 0 : (output[at - columns - 1] ?? 0);
      output[at] = (bytes[row * (columns + 1) + 1 + column] ?? 0) + predict(kind, { left, above, corner });
    }
  }
  return output;
}

function predict(kind: number, { left, above, corner }: { left: number; above: number; corner: number }): number {
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return nearest(left + above - corner, [left, above, corner]);
    default:
      throw new PdfSyntaxError('a row is predicted in an unknown way');
  }
}

function nearest(target: number, candidates: readonly [number, number, number]): number {
  return candidates.reduce((best, other) => (Math.abs(target - other) < Math.abs(target - best) ? other : best));
}
