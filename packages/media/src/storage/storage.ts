import type { Readable } from 'node:stream';
import type { FileOnDisk } from '@mediagate/contracts';

/** The bytes of an object, from wherever they are. */
export type ObjectBody = Buffer | Readable | FileOnDisk;

/** Both ends included, as in HTTP; without `end`, to the last byte. Must lie within the object. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface ObjectFacts {
  contentType: string;
  /** Exactly what the body holds; a stream of another length fails. */
  bytes: number;
}

/** Exactly so many bytes, until then. */
export interface PutLinkOptions {
  bytes: number;
  lifetimeSeconds: number;
}

/** A link by which somebody else writes one object: `PUT`, with these headers and the object as the body. */
export interface PutLink {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** When the credentials lapse by which it was signed, and the link with them; absent: they do not. */
  endsAt?: Date;
}

export interface ListOptions {
  /** The first part of the keys, with its slash: `results/`. */
  prefix: string;
  /** Only keys that sort before this one. */
  before: string;
  /** `next` of the part before; absent: from the start. */
  place?: string | undefined;
}

/** Part of a list, at most some thousand keys, in an order of the driver's own. */
export interface KeyList {
  keys: string[];
  /** Undefined: this was the last part. */
  next: string | undefined;
}

/**
 * Where bytes lie. Keys are made here (`results/<id>.png`), never of anything a caller wrote. Every driver behaves as
 * `test/storage-conformance.ts` says.
 */
export interface Storage {
  /** All or nothing: the object appears whole, replacing one of the same key, or not at all. */
  put(key: string, body: ObjectBody, facts: ObjectFacts): Promise<void>;
  /** Rejects with ObjectMissingError; a stream that was handed out is the caller's to destroy. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Removing what is not there succeeds. */
  remove(key: string): Promise<void>;
  /** Lists the objects there are. Objects that come or go meanwhile may be in it or not. */
  list(options: ListOptions): Promise<KeyList>;
  /** Space that is left; absent: nobody can say. */
  freeBytes?(): Promise<number>;
  /** Absent: nobody but the gateway can write to it. */
  linkForPut?(key: string, options: PutLinkOptions): Promise<PutLink>;
  /** A link by which whoever has it reads one object, for some minutes. Absent: everybody reads through the gateway. */
  linkForGet?(key: string): Promise<string>;
}

export class ObjectMissingError extends Error {
  constructor(key: string) {
    super(`no object ${key} in the storage`);
    this.name = 'ObjectMissingError';
  }
}

const KEY = /^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)*$/;
const MAX_KEY_CHARACTERS = 200;

/** Throws for a key that no part of this package makes: no parent folders, no absolute paths, no hidden files. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_CHARACTERS || !KEY.test(key))
    throw new TypeError(`not a storage key: ${JSON.stringify(key)}`);
}
