import { randomBytes, randomFillSync } from 'node:crypto';

export type TaskId = `task_${string}`;

/** Crockford's base32, lower case: sorts as the number does and has no letters that read as digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TASK_ID = /^task_[0-9a-hjkmnp-tv-z]{26}$/;

const pool = Buffer.allocUnsafe(8192);
let poolOffset = pool.length;

/**
 * A new task id: `task_` and the 26 base32 characters of a UUIDv7, so ids sort by the millisecond they were made in and
 * a primary key over them stays compact. The random bits come from a pool because one system call an id is 20 times dearer.
 */
export function newTaskId(nowMs: number = Date.now()): TaskId {
  return `task_${timeOrderedId(nowMs)}`;
}

/** Not above any id made in that millisecond or later, and above all of before. */
export function firstTaskIdAt(ms: number): TaskId {
  return `task_${toBase32(BigInt(ms) << 80n)}`;
}

/** Of a caller's own file: the id of its media object, with a word before it. */
export type FileId = `file_${string}`;

const FILE_ID = /^file_([0-9a-hjkmnp-tv-z]{26})$/;

export function fileIdOf(mediaId: string): FileId {
  return `file_${mediaId}`;
}

/** Undefined: it is no id of a file. */
export function mediaIdOf(fileId: string): string | undefined {
  return FILE_ID.exec(fileId)?.[1];
}

export function isTaskId(value: unknown): value is TaskId {
  return typeof value === 'string' && TASK_ID.test(value);
}

/** 26 base32 characters, ordered by time: those of a UUID of version 7. */
export function timeOrderedId(nowMs: number = Date.now()): string {
  return toBase32(timeOrderedBits(nowMs));
}

/** When a time-ordered id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const bits = [...id].reduce((sum, digit) => sum * 32n + BigInt(ALPHABET.indexOf(digit)), 0n);
  return Number(bits >> 80n);
}

/** The same as UUIDs are written. */
export function timeOrderedUuid(nowMs: number = Date.now()): string {
  const hex = timeOrderedBits(nowMs).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** 48 bits of milliseconds, then 74 random bits (RFC 9562, version 7). */
function timeOrderedBits(nowMs: number): bigint {
  if (poolOffset + 10 > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const random = pool.subarray(poolOffset, poolOffset + 10);
  poolOffset += 10;
  const high =
    (BigInt(nowMs) << 16n) | 0x7000n | (BigInt(((random[0] as number) << 8) | (random[1] as number)) % 4096n);
  const low = (random.readBigUInt64BE(2) & 0x3fff_ffff_ffff_ffffn) | 0x8000_0000_0000_0000n;
  return (high << 64n) | low;
}

/** 128 bits are read as 26 groups of 5 with two leading zero bits. */
function toBase32(bits: bigint): string {
  let text = '';
  let value = bits;
  for (let index = 0; index < 26; index += 1) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/** `bytes` random bytes in base32 lower case, for ids that must not be guessable. */
export function randomToken(bytes: number): string {
  let text = '';
  for (const byte of randomBytes(bytes)) text += ALPHABET[byte & 31];
  return text;
}
