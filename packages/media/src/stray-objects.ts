import type { Database } from '@mediagate/database';
import { DeploymentMarks, type DeploymentMarksDeps } from './deployment-marks';
import { removeObjects } from './remove-objects';
import type { Storage } from './storage/storage';

export interface StrayObjectsDeps {
  database: DeploymentMarksDeps['database'] & Pick<Database, 'findFirstId' | 'findKeptObjects'>;
  storage: DeploymentMarksDeps['storage'] & Pick<Storage, 'remove'>;
}

export interface StraysRemoved {
  removed: number;
  /** One for each that the storage would not remove; it comes again. */
  errors: unknown[];
  /** Marks of other deployments, of one of which these objects may be: none was removed. */
  others: string[];
  /** Why the storage did not take the mark of this deployment, without which others remove its files: none was removed. */
  unmarked?: unknown;
}

/** First parts of the keys that the gateway makes. */
const PREFIXES = ['results/', 'uploads/', 'inputs/', 'incoming/'] as const;
/** All of such a key; what else lies in the bucket is somebody else's. */
const OWN_KEY = /^[a-z]+\/[0-9a-hjkmnp-tv-z]{26}(?:\.[a-z0-9]{2,7})?$/;
/** A deployment that comes to the same storage leaves its mark long before. */
const STRAY_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Objects without a row that would see to their end: a process died between the two, a row was never committed, or somebody
 * wrote to a link after its object was swept out. Keys have the time in which they were made, which is compared with the database's clock.
 */
export class StrayObjects {
  readonly #deps: StrayObjectsDeps;
  readonly #marks: DeploymentMarks;
  #prefix = 0;
  #place: string | undefined;
  /** Marks of other deployments, as this round through the storage found them. Undefined: it has not begun. */
  #others: string[] | undefined;

  constructor(deps: StrayObjectsDeps) {
    this.#deps = deps;
    this.#marks = new DeploymentMarks(deps);
  }

  /**
   * Removes those of the next part of the storage, unless another deployment keeps files there. Marks are left and looked for once in a round
   * through it: who comes in its course has no file of a week yet.
   */
  async removeNext(): Promise<StraysRemoved> {
    if (this.#others === undefined) {
      const { refusal } = await this.#marks.leave();
      if (refusal !== undefined) return { removed: 0, errors: [], others: [], unmarked: refusal };
      this.#others = await this.#marks.listOthers();
    }
    const others = this.#others;
    const strays = await this.#nextStrays();
    if (strays.length === 0 || others.length > 0) return { removed: 0, errors: [], others };
    const { removed, errors } = await removeObjects(this.#deps.storage, strays);
    return { removed: removed.length, errors, others };
  }

  async #nextStrays(): Promise<{ storageKey: string }[]> {
    const keys = await this.#nextKeys();
    if (keys.length === 0) return [];
    const kept = new Set((await this.#deps.database.findKeptObjects(keys)).map(({ storageKey }) => storageKey));
    return keys.filter((key) => !kept.has(key)).map((storageKey) => ({ storageKey }));
  }

  /** The old keys of the next part. After the last part of a prefix comes the next prefix, after the last of all a new round. */
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
    if (next === undefined && this.#prefix === 0) this.#others = undefined;
    return keys.filter((key) => OWN_KEY.test(key));
  }
}
