import { randomBytes, randomFillSync } from 'node:crypto';

export type TaskId = `task_${string}`;

/** Crockford's base32, lower case: sorts as the number does and has no letters that read as digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TASK_ID = /^task_[0-9a-hjkmnp-tv-z]{26}$/;

const ID_BYTES = 16;
const RANDOM_BYTES = 10;
const pool = Buffer.allocUnsafe(8190);
let poolOffset = pool.length;

/**
 * A new task id: `task_` and the 26 base32 characters of a UUIDv7, so ids sort by the millisecond they were made in and
 * a primary key over them stays compact. The random bits come from a pool because one system call an id is 20 times dearer.
 */
export function newTaskId(nowMs: number = Date.now()): TaskId {
  return `task_${timeOrderedId(nowMs)}`;
}

/** Not above any id made in that millisecond or later, and above all ids made before it. */
export function firstTaskIdAt(ms: number): TaskId {
  return `task_${toBase32(writeTime(Buffer.alloc(ID_BYTES), ms))}`;
}

/** The id of a caller's own file: the id of its media object, with a word before it. */
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
  return toBase32(timeOrderedBytes(nowMs));
}

/** When a time-ordered id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const bits = [...id].reduce((sum, digit) => sum * 32n + BigInt(ALPHABET.indexOf(digit)), 0n);
  return Number(bits >> 80n);
}

/** The same as UUIDs are written. */
export function timeOrderedUuid(nowMs: number = Date.now()): string {
  const hex = timeOrderedBytes(nowMs).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Used again for the next id. */
const idBytes = Buffer.alloc(ID_BYTES);

/** 48 bits of milliseconds, then 74 random bits (RFC 9562, version 7). Valid until the next id is made. */
function timeOrderedBytes(nowMs: number): Buffer {
  if (poolOffset + RANDOM_BYTES > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  writeTime(idBytes, nowMs);
  idBytes.set(pool.subarray(poolOffset, poolOffset + RANDOM_BYTES), ID_BYTES - RANDOM_BYTES);
  poolOffset += RANDOM_BYTES;
  idBytes[6] = ((idBytes[6] as number) & 0x0f) | 0x70;
  idBytes[8] = ((idBytes[8] as number) & 0x3f) | 0x80;
  return idBytes;
}

const LAST_MS = 2 ** 48 - 1;

/** Into the first six bytes; a time that they cannot hold as the nearest one that they can. */
function writeTime(bytes: Buffer, ms: number): Buffer {
  bytes.writeUIntBE(Math.max(0, Math.min(ms, LAST_MS)), 0, 6);
  return bytes;
}

/** Two characters for each group of ten bits. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));

/** 128 bits are read as 26 groups of 5 with two leading zero bits, two groups at a time. */
function toBase32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let count = 2;
  for (let at = 0; at < ID_BYTES; at += 1) {
    bits = (bits << 8) | (bytes[at] as number);
    count += 8;
    if (count < 10) continue;
    count -= 10;
    text += PAIRS[bits >> count];
    bits &= (1 << count) - 1;
  }
  return text;
}

/** `bytes` random bytes in base32 lower case, for ids that must not be guessable. */
export function randomToken(bytes: number): string {
  let text = '';
  for (const byte of randomBytes(bytes)) text += ALPHABET[byte & 31];
  return text;
}
