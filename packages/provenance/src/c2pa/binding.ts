import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from '@mediagate/media';
import type { Box, Carrier } from '../carriers/carrier';
import { PieceReader, type Range } from '../piece-reader';
import { asBytes, asList, asMap, asText, type Cbor, type CborMap } from './cbor';
import type { Manifest } from './manifest';

/** Hashed between two turns of the event loop: a millisecond or two. */
const PIECE_BYTES = 512 * 1024;

export interface Verdict {
  /** Null: it was not checked. */
  valid: boolean | null;
  problem: string | null;
}

/** Compares the file's bytes with the hash by which its manifest is bound to them. It reads all of the file, piece by piece. */
export async function judgeBinding(
  source: ByteSource,
  { frame, boxes }: Carrier,
  binding: Manifest['binding'],
): Promise<Verdict> {
  const { label = '', content } = binding ?? {};
  const expected = asBytes(content?.get('hash'));
  const found = content && expected && (await hashBound({ source, frame, boxes, content }, label));
  if (found === undefined) return { valid: null, problem: 'it is bound to the file in a way that is not checked' };
  if (!expected?.equals(found.hash)) return { valid: false, problem: 'the file was changed after it was signed' };
  return found.leavesOutMore
    ? { valid: null, problem: 'its signature does not cover all of the file' }
    : { valid: true, problem: null };
}

/** Hashes the bytes that an assertion binds to a manifest, piece by piece. Returns undefined for a way of binding that is not known. */
export async function hashBound(
  bound: Bound,
  label: string,
): Promise<{ hash: Buffer; leavesOutMore: boolean } | undefined> {
  const algorithm = asText(bound.content.get('alg')) ?? 'sha256';
  const plan = await planFor(label, bound);
  if (plan === undefined || !/^sha(?:256|384|512)$/.test(algorithm)) return undefined;
  const hash = createHash(algorithm);
  await hashParts(hash, bound.source, plan.parts);
  return { hash: hash.digest(), leavesOutMore: plan.leavesOutMore };
}

/** Bytes of the file, or those of a place in it as a number. */
type Part = Range | Buffer;

interface Plan {
  parts: Part[];
  /** Bytes beyond the manifest's own are not hashed. */
  leavesOutMore: boolean;
}

interface Bound extends Pick<Carrier, 'frame' | 'boxes'> {
  source: ByteSource;
  content: CborMap;
}

async function planFor(label: string, bound: Bound): Promise<Plan | undefined> {
  if (label === 'c2pa.hash.data') return planOfData(bound);
  if (label === 'c2pa.hash.bmff.v2' || label === 'c2pa.hash.bmff.v3') return planOfBoxes(bound);
  return undefined;
}

function planOfData({ source: { totalBytes }, frame, content }: Bound): Plan | undefined {
  const left = asList(content.get('exclusions')).map(toRange);
  if (!left.every((range) => range !== undefined)) return undefined;
  const inOrder = left.toSorted((one, other) => one.start - other.start);
  const parts: Range[] = [];
  let position = 0;
  for (const { start, end } of inOrder) {
    if (start < position) return undefined;
    parts.push({ start: position, end: Math.min(start, totalBytes) });
    position = end;
  }
  parts.push({ start: Math.min(position, totalBytes), end: totalBytes });
  return { parts, leavesOutMore: !inOrder.every(({ start, end }) => start >= frame.start && end <= frame.end) };
}

function toRange(value: Cbor): Range | undefined {
  const [start, length] = [asMap(value)?.get('start'), asMap(value)?.get('length')];
  return isCount(start) && isCount(length) ? { start, end: start + length } : undefined;
}

function isCount(value: Cbor): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Boxes without images and sound, which writers leave out beside the manifest. */
const OFTEN_LEFT_OUT: ReadonlySet<string> = new Set(['ftyp', 'free', 'skip', 'mfra']);

/** Each box at the top is hashed behind its place in the file, but for those that are left out by name. */
async function planOfBoxes({ source, frame, boxes, content }: Bound): Promise<Plan | undefined> {
  const exclusions = exclusionsIn(content);
  if (boxes === undefined || exclusions === undefined || content.get('merkle') != null) return undefined;
  const file = new PieceReader(source);
  const parts: Part[] = [];
  let leavesOutMore = false;
  for (const box of boxes) {
    const ofType = exclusions.filter(({ type }) => type === box.type);
    if (ofType.some(({ isPartial }) => isPartial)) return undefined;
    if (ofType.length === 0 || !matches(await file.read(box.start, COMPARED_BYTES), box, ofType)) {
      parts.push(placeOf(box), { start: box.start, end: box.end });
    } else leavesOutMore ||= box.start !== frame.start && !OFTEN_LEFT_OUT.has(box.type);
  }
  return { parts, leavesOutMore };
}

/** Writers leave out five kinds of boxes, and compare the name of a `uuid` box, which stands at its beginning. */
const [MAX_EXCLUSIONS, MAX_COMPARED, COMPARED_BYTES, MAX_PATH_CHARACTERS] = [32, 2, 64, 200];

interface Exclusion {
  type: string;
  /** It leaves out a part of a box, which is not read here. */
  isPartial: boolean;
  length: number | undefined;
  compared: { offset: number; value: Buffer }[];
}

/** Returns undefined where one is of an unknown form, or there are more than writers have. */
function exclusionsIn(content: CborMap): Exclusion[] | undefined {
  const listed = asList(content.get('exclusions'));
  if (listed.length > MAX_EXCLUSIONS) return undefined;
  const exclusions = listed.map((value) => toExclusion(asMap(value)));
  return exclusions.every((exclusion) => exclusion !== undefined) ? exclusions : undefined;
}

function toExclusion(fields: CborMap | undefined): Exclusion | undefined {
  const [path, length] = [asText(fields?.get('xpath')), fields?.get('length') ?? undefined];
  if (path === undefined || path.length > MAX_PATH_CHARACTERS || !(length === undefined || isCount(length))) {
    return undefined;
  }
  const [, type = '', ...deeper] = path.split('/');
  const compared = asList(fields?.get('data')).map((item) => toCompared(asMap(item)));
  if (compared.length > MAX_COMPARED || !compared.every((item) => item !== undefined)) return undefined;
  const isPartial = deeper.length > 0 || fields?.get('subset') != null;
  return { type: type.replace(/\[1\]$/, ''), isPartial, length, compared };
}

function toCompared(item: CborMap | undefined): Exclusion['compared'][number] | undefined {
  const [offset, value] = [item?.get('offset'), asBytes(item?.get('value'))];
  const isNear = isCount(offset) && value !== undefined && offset + value.length <= COMPARED_BYTES;
  return isNear ? { offset, value } : undefined;
}

function matches(head: Buffer, { start, end }: Box, exclusions: readonly Exclusion[]): boolean {
  return exclusions.some(
    ({ length, compared }) =>
      (length === undefined || length === end - start) &&
      compared.every(({ offset, value }) => head.subarray(offset, offset + value.length).equals(value)),
  );
}

function placeOf({ start }: Box): Buffer {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(start));
  return place;
}

async function hashParts(hash: Hash, source: ByteSource, parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) {
      hash.update(part);
      continue;
    }
    for (let start = part.start; start < part.end; start += PIECE_BYTES) {
      hash.update(await source.read(start, Math.min(start + PIECE_BYTES, part.end)));
      // Bytes that are in memory come without a turn of the event loop.
      await setImmediate();
    }
  }
}
