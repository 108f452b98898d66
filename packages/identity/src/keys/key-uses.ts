import type { Database } from '@mediagate/database';

/** Ids of whoever calls in one period; more are not noted until the next. */
const MAX_NOTED = 10_000;

/** Gathers which keys are used, for one statement a minute: what a process that dies had gathered is lost. */
export class KeyUses {
  readonly #database: Pick<Database, 'noteKeyUses'>;
  #used = new Map<string, number>();

  constructor(database: Pick<Database, 'noteKeyUses'>) {
    this.#database = database;
  }

  note(keyId: string): void {
    if (this.#used.size < MAX_NOTED || this.#used.has(keyId)) this.#used.set(keyId, Date.now());
  }

  async write(): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Map();
    await this.#database.noteKeyUses([...used].map(([keyId, at]) => ({ keyId, usedAt: new Date(at) })));
  }
}
