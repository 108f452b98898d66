import type { Database } from '@mediagate/database';

/** Ids of whoever calls in one period; more are not noted until the next. */
const MAX_NOTED = 10_000;

/** Gathers which keys are used, for one statement a minute: what a process that dies had gathered is lost, and what a statement failed to write waits for the next. */
export class KeyUses {
  readonly #database: Pick<Database, 'noteKeyUses'>;
  readonly #used = new Map<string, number>();

  constructor(database: Pick<Database, 'noteKeyUses'>) {
    this.#database = database;
  }

  note(keyId: string): void {
    if (this.#used.size < MAX_NOTED || this.#used.has(keyId)) this.#used.set(keyId, Date.now());
  }

  async write(): Promise<void> {
    const used = [...this.#used];
    if (used.length === 0) return;
    await this.#database.noteKeyUses(used.map(([keyId, at]) => ({ keyId, usedAt: new Date(at) })));
    for (const [keyId, at] of used) if (this.#used.get(keyId) === at) this.#used.delete(keyId);
  }
}
