/** Kinds of superboxes, by the first four bytes of their types. */
type Kind = 'c2pa' | 'c2ma' | 'c2as' | 'c2cl' | 'c2cs' | 'cbor';

/** All types of C2PA, and that of CBOR, end alike. */
const TYPE_END = Buffer.from('00110010800000aa00389b71', 'hex');
/** The box may be asked for, and has a label. */
const TOGGLES = Buffer.from([0x03]);

export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

export function superbox(kind: Kind, label: string, ...contents: readonly Buffer[]): Buffer {
  const type = Buffer.concat([Buffer.from(kind, 'latin1'), TYPE_END]);
  return box('jumb', box('jumd', type, TOGGLES, Buffer.from(`${label}\0`, 'utf8')), ...contents);
}
