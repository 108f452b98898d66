import { open, rm } from 'node:fs/promises';
import type { MediaBytes } from '@mediagate/contracts';
import { withSourceOf } from '@mediagate/media';
import { hashBound } from '../c2pa/binding';
import { asMap, decodeCbor } from '../c2pa/cbor';
import { boxesIn, C2PA_UUID } from '../carriers/bmff';
import { type Edit, withEdits } from '../marks/edit';
import { PieceReader, type Range } from '../piece-reader';
import { encodeCbor } from './write-cbor';
import type { Binding, Draft } from './write-manifest';

/** The place for a manifest in a copy of a file: it is signed once the copy's bytes are known. */
export interface Placeholder {
  edits: readonly Edit[];
  /** The placeholder in the copy. */
  frame: Range;
  /** Its hash is not known yet. */
  binding: Binding;
  draft: Draft;
}

const BOXED: readonly string[] = ['audio/mp4', 'video/mp4', 'video/quicktime'];
const HASH_BYTES = 32;

/** Finds how large the placeholder has to be, because the manifest says where it stands and how long it is. */
export async function makePlaceholder(
  draft: Draft,
  contentType: string,
  editsFor: (store: Buffer) => Promise<Edit[]>,
): Promise<Placeholder> {
  const bindingTo = BOXED.includes(contentType) ? boxBinding : dataBinding;
  let bytes = draft.bytesWith(bindingTo({ start: 0, end: 0 }));
  for (;;) {
    const edits = await editsFor(Buffer.alloc(bytes));
    const frame = placeholderIn(edits);
    const binding = bindingTo(frame);
    const needed = draft.bytesWith(binding);
    if (needed === bytes) return { edits, frame, binding, draft };
    bytes = needed;
  }
}

function placeholderIn(edits: readonly Edit[]): Range {
  let moved = 0;
  for (const { at, remove, insert, frame } of edits) {
    if (frame !== undefined) return { start: at + moved, end: at + moved + insert.length };
    moved += insert.length - remove;
  }
  throw new Error('no edit is a placeholder');
}

function dataBinding({ start, end }: Range, hash: Buffer = Buffer.alloc(HASH_BYTES)): Binding {
  const exclusions = [{ start, length: end - start }];
  return {
    label: 'c2pa.hash.data',
    fields: { exclusions, name: 'jumbf manifest', alg: 'sha256', hash, pad: Buffer.alloc(0) },
  };
}

/** Boxes that a hash always leaves out: the manifest's own, the first one, and the index of fragments. */
const LEFT_OUT = [
  { xpath: '/uuid', data: [{ offset: 8, value: Buffer.from(C2PA_UUID, 'hex') }] },
  { xpath: '/ftyp' },
  { xpath: '/mfra' },
];

function boxBinding(_frame: Range, hash: Buffer = Buffer.alloc(HASH_BYTES)): Binding {
  return { label: 'c2pa.hash.bmff.v3', fields: { exclusions: LEFT_OUT, alg: 'sha256', hash, name: 'jumbf manifest' } };
}

/** Copies a file with its edits, hashes the copy, and writes the signed manifest into the placeholder that was left for it. */
export async function withManifest(
  bytes: MediaBytes,
  { edits, frame, binding, draft }: Placeholder,
): Promise<MediaBytes> {
  const copy = await withEdits(bytes, edits);
  try {
    const hash = await hashOf(copy, frame, binding);
    const store = await draft.signedWith({ ...binding, fields: { ...binding.fields, hash } });
    const framed = edits.find((edit) => edit.frame !== undefined)?.frame?.(store);
    if (framed?.length !== frame.end - frame.start) throw new Error('the manifest does not fit into its placeholder');
    await writeAt(copy, frame.start, framed);
    return copy;
  } catch (error) {
    if (!Buffer.isBuffer(copy)) await rm(copy.path, { force: true });
    throw error;
  }
}

function hashOf(copy: MediaBytes, frame: Range, { label, fields }: Binding): Promise<Buffer> {
  return withSourceOf(copy, async (source) => {
    const boxes = label === 'c2pa.hash.data' ? undefined : await boxesIn(new PieceReader(source));
    const content = asMap(decodeCbor(encodeCbor(fields)));
    const hash = content && (await hashBound({ source, frame, boxes, content }, label))?.hash;
    if (hash === undefined) throw new Error('the file cannot be bound to a manifest');
    return hash;
  });
}

async function writeAt(file: MediaBytes, start: number, bytes: Buffer): Promise<void> {
  if (Buffer.isBuffer(file)) {
    bytes.copy(file, start);
    return;
  }
  const handle = await open(file.path, 'r+');
  try {
    await handle.write(bytes, 0, bytes.length, start);
  } finally {
    await handle.close();
  }
}
