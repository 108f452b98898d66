import type { Database } from '@mediagate/database';
import { removeObjects } from './remove-objects';
import type { Storage } from './storage/storage';

export interface StrayObjectsDeps {
  database: Pick<Database, 'findFirstId' | 'findKeptObjects'>;
  storage: Pick<Storage, 'list' | 'remove'>;
}

/** First parts of the keys that the gateway makes. */
const PREFIXES = ['results/', 'uploads/', 'inputs/', 'incoming/'] as const;
/** All of such a key; what else lies in the bucket is somebody else's. */
const OWN_KEY = /^[a-z]+\/[0-9a-hjkmnp-tv-z]{26}(?:\.[a-z0-9]{2,7})?$/;
/** Another deployment in the same bucket must keep its files for less: this one has no rows of them. */
const STRAY_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Objects without a row that would see to their end: a process died between the two, a row was never committed, or somebody
 * wrote to a link after its object was swept out. Keys have the time in which they were made, which is compared with the database's clock.
 */
export class StrayObjects {
  readonly #deps: StrayObjectsDeps;
  #prefix = 0;
  #place: string | undefined;

  constructor(deps: StrayObjectsDeps) {
    this.#deps = deps;
  }

  /** Removes those of the next part of the storage. One that the storage would not remove has an entry in `errors`, and comes again. */
  async removeNext(): Promise<{ removed: number; errors: unknown[] }> {
    const { database, storage } = this.#deps;
    const keys = await this.#nextKeys();
    if (keys.length === 0) return { removed: 0, errors: [] };
    const kept = new Set((await database.findKeptObjects(keys)).map(({ storageKey }) => storageKey));
    const strays = keys.filter((key) => !kept.has(key)).map((storageKey) => ({ storageKey }));
    const { removed, errors } = await removeObjects(storage, strays);
    return { removed: removed.length, errors };
  }

  /** The old keys of the next part. After the last part of a prefix comes the next prefix. */
  async #nextKeys(): Promise<string[]> {
    const prefix = PREFIXES[this.#prefix] ?? PREFIXES[0];
    const [first] = await this.#deps.database.findFirstId(STRAY_AFTER_MS);
    if (first === undefined) return [];
    const { keys, next } = await this.#deps.storage.list({
      prefix,
      before: `${prefix}${first.id}`,
      place: this.#place,
    });
    this.#place = next;
    if (next === undefined) this.#prefix = (this.#prefix + 1) % PREFIXES.length;
    return keys.filter((key) => OWN_KEY.test(key));
  }
}
