import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from '@mediagate/media';
import { type Box, boxesIn } from '../carriers/bmff';
import type { Carrier } from '../carriers/carrier';
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
  { frame }: Carrier,
  binding: Manifest['binding'],
): Promise<Verdict> {
  const { label = '', content } = binding ?? {};
  const expected = asBytes(content?.get('hash'));
  const algorithm = asText(content?.get('alg')) ?? 'sha256';
  const plan = content && (await planFor(label, { source, frame, content }));
  if (plan === undefined || expected === undefined || !/^sha(?:256|384|512)$/.test(algorithm)) {
    return { valid: null, problem: 'it is bound to the file in a way that is not checked' };
  }
  const hash = createHash(algorithm);
  await hashParts(hash, source, plan.parts);
  if (!hash.digest().equals(expected)) return { valid: false, problem: 'the file was changed after it was signed' };
  return plan.leavesOutMore
    ? { valid: null, problem: 'its signature does not cover all of the file' }
    : { valid: true, problem: null };
}

/** Bytes of the file, or those of a place in it as a number. */
type Part = Range | Buffer;

interface Plan {
  parts: Part[];
  /** Bytes beyond the manifest's own are not hashed. */
  leavesOutMore: boolean;
}

interface Bound {
  source: ByteSource;
  frame: Range;
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
  const isKnown = typeof start === 'number' && typeof length === 'number' && start >= 0 && length >= 0;
  return isKnown ? { start, end: start + length } : undefined;
}

/** Boxes without images and sound, which writers leave out beside the manifest. */
const OFTEN_LEFT_OUT: ReadonlySet<string> = new Set(['ftyp', 'free', 'skip', 'mfra']);

/** Each box at the top is hashed behind its place in the file, but for those that are left out by name. */
async function planOfBoxes({ source, frame, content }: Bound): Promise<Plan | undefined> {
  if (content.get('merkle') != null) return undefined;
  const exclusions = asList(content.get('exclusions')).map((value) => asMap(value));
  const parts: Part[] = [];
  let leavesOutMore = false;
  for (const box of await boxesIn(new PieceReader(source))) {
    const matching = await exclusionOf(source, box, exclusions);
    if (matching === 'unknown') return undefined;
    if (matching === undefined) parts.push(placeOf(box), { start: box.start, end: box.end });
    else leavesOutMore ||= box.start !== frame.start && !OFTEN_LEFT_OUT.has(box.type);
  }
  return { parts, leavesOutMore };
}

async function exclusionOf(
  source: ByteSource,
  box: Box,
  exclusions: readonly (CborMap | undefined)[],
): Promise<CborMap | 'unknown' | undefined> {
  for (const exclusion of exclusions) {
    const path = asText(exclusion?.get('xpath'));
    if (exclusion === undefined || path === undefined) return 'unknown';
    if (path.split('/')[1]?.replace(/\[1\]$/, '') !== box.type) continue;
    if (path.split('/').length > 2 || exclusion.get('subset') != null) return 'unknown';
    if (await matches(source, box, exclusion)) return exclusion;
  }
  return undefined;
}

async function matches(source: ByteSource, { start, end }: Box, exclusion: CborMap): Promise<boolean> {
  const length = exclusion.get('length');
  if (length != null && length !== end - start) return false;
  for (const item of asList(exclusion.get('data'))) {
    const [offset, value] = [asMap(item)?.get('offset'), asBytes(asMap(item)?.get('value'))];
    if (typeof offset !== 'number' || value === undefined) return false;
    if (!(await source.read(start + offset, start + offset + value.length)).equals(value)) return false;
  }
  return true;
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
