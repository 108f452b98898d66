import { createHash } from 'node:crypto';
import type { Database, ReleasedInputRow } from '@mediagate/database';
import type { Links } from './links';
import { InputsFullError } from './media-error';
import { removeObjects } from './remove-objects';
import type { Storage } from './storage/storage';
import { keepMedia, type MediaToKeep, type StoredMedia, toStoredMedia } from './stored-media';

/** The account and the key whose files count together. */
export interface InputOwner {
  accountId: string;
  keyId: string;
}

/** A caller's file on its way to a vendor. */
export interface InputToSave extends Omit<MediaToKeep, 'purpose'>, InputOwner {
  taskId: string;
  bytes: Buffer;
  /** Saved however much the account has: an attempt in doubt is resolved with it. */
  isUrgent?: boolean;
}

/** Limits of files stored at once. Each is stored until its task ends, or its deadline. */
export const INPUT_LIMITS = { accountBytes: 10_000_000_000, keyBytes: 5_000_000_000 };
const NO_LIMITS = { accountBytes: Number.MAX_SAFE_INTEGER };
const START = { keyId: '', taskId: '', id: '' };

/** The statements that inputs need. */
export type InputDatabase = Pick<
  Database,
  'findTaskInput' | 'insertTaskInput' | 'areInputsFull' | 'findReleasedInputs' | 'markMediaDeleted'
>;

/** Files of tasks for vendors that cannot fetch them where the caller has them. */
export class TaskInputs {
  readonly #database: InputDatabase;
  readonly #storage: Storage;
  readonly #links: Links;
  /** Where the next run of `release` begins. */
  #releasedUpTo: Pick<ReleasedInputRow, 'keyId' | 'taskId' | 'id'> = START;

  constructor({ database, storage, links }: { database: InputDatabase; storage: Storage; links: Links }) {
    this.#database = database;
    this.#storage = storage;
    this.#links = links;
  }

  /** Whether so many bytes more may be stored now for the account and the key. */
  async takes(owner: InputOwner, bytes: number): Promise<boolean> {
    const [answer] = await this.#database.areInputsFull(owner, bytes, INPUT_LIMITS);
    return answer?.full !== true;
  }

  /** Saves a task's file once, however many processes and tries bring it. @throws InputsFullError */
  async save({ isUrgent = false, ...input }: InputToSave): Promise<StoredMedia> {
    const { accountId, keyId, taskId, bytes } = input;
    const [known] = await this.#database.findTaskInput(taskId, createHash('sha256').update(bytes).digest());
    if (known) return toStoredMedia(known, this.#links);
    // Only saves a write in vain: the statement that records the file decides.
    if (!isUrgent && !(await this.takes(input, bytes.length))) throw new InputsFullError(accountId);
    const limits = isUrgent ? NO_LIMITS : INPUT_LIMITS;
    const kept = await keepMedia(this.#storage, { ...input, purpose: 'input' }, async (file) => {
      const [row] = await this.#database.insertTaskInput({ ...file, accountId, keyId, taskId }, limits);
      if (row === undefined) throw new InputsFullError(accountId);
      return row;
    });
    return toStoredMedia(kept, this.#links);
  }

  /**
   * Looks at `limit` files that are stored, each time from where it ended before, and removes those whose tasks have ended. Bytes are
   * removed before rows are marked, as at the expiry. What could not be removed is tried again, and at its expiry, too.
   */
  async release(limit: number): Promise<{ removed: number; errors: unknown[]; more: boolean }> {
    const seen = await this.#database.findReleasedInputs(limit, this.#releasedUpTo);
    const more = seen.length === limit;
    this.#releasedUpTo = (more && seen.at(-1)) || START;
    const over = seen.filter(({ isOver }) => isOver);
    const { removed, errors } = await removeObjects(this.#storage, over);
    if (removed.length > 0) await this.#database.markMediaDeleted(removed.map(({ id }) => id));
    return { removed: removed.length, errors, more };
  }
}
