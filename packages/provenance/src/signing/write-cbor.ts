/** A value that becomes CBOR; a date becomes a text with the tag for times. */
export type Writable =
  | number
  | string
  | boolean
  | null
  | Buffer
  | Date
  | readonly Writable[]
  | ReadonlyMap<number, Writable>
  | { readonly [name: string]: Writable };

const [UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG] = [0, 1, 2, 3, 4, 5, 6];
const SIMPLE = { false: 0xf4, true: 0xf5, null: 0xf6 } as const;

/** Writes a value as CBOR with heads of as few bytes as there can be. */
export function encodeCbor(value: Writable): Buffer {
  if (value === null || typeof value === 'boolean') return Buffer.from([SIMPLE[`${value}`]]);
  if (typeof value === 'number') return value < 0 ? headOf(NEGATIVE, -1 - value) : headOf(UNSIGNED, value);
  if (typeof value === 'string') return Buffer.concat([headOf(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([headOf(BYTES, value.length), value]);
  if (value instanceof Date) return Buffer.concat([headOf(TAG, 0), encodeCbor(value.toISOString())]);
  if (isList(value)) return Buffer.concat([headOf(ARRAY, value.length), ...value.map(encodeCbor)]);
  const entries: [Writable, Writable][] = value instanceof Map ? [...value] : Object.entries(value);
  return Buffer.concat([headOf(MAP, entries.length), ...entries.flat().map(encodeCbor)]);
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}

function headOf(kind: number, count: number): Buffer {
  const first = kind << 5;
  if (count < 24) return Buffer.from([first | count]);
  if (count < 0x100) return Buffer.from([first | 24, count]);
  const bytes = count < 0x1_0000 ? 2 : count < 0x1_0000_0000 ? 4 : 8;
  const head = Buffer.alloc(1 + bytes);
  head[0] = first | (24 + Math.log2(bytes));
  if (bytes === 8) head.writeBigUInt64BE(BigInt(count), 1);
  else head.writeUIntBE(count, 1, bytes);
  return head;
}
