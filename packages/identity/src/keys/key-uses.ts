import type { Database, HashRenewal } from '@mediagate/database';

/** Ids of whoever calls in one period; more are not noted until the next. */
const MAX_NOTED = 10_000;

type UsesDatabase = Pick<Database, 'noteKeyUses' | 'renewKeyHash'>;

/**
 * Gathers which keys are used, for one statement a minute: what a process that dies had gathered is lost, and what a statement failed to
 * write waits for the next. Hashes under a former pepper are renewed before that, one key after the other: a key whose use is written does not
 * need that pepper any more. Where that fails, the uses of other keys are written all the same.
 */
export class KeyUses {
  readonly #database: UsesDatabase;
  readonly #used = new Map<string, number>();
  readonly #renewals = new Map<string, HashRenewal>();

  constructor(database: UsesDatabase) {
    this.#database = database;
  }

  note(keyId: string, renewal?: HashRenewal): void {
    if (this.#used.size >= MAX_NOTED && !this.#used.has(keyId)) return;
    this.#used.set(keyId, Date.now());
    if (renewal) this.#renewals.set(keyId, renewal);
  }

  async write(): Promise<void> {
    const noted = [...this.#used];
    const failures: unknown[] = [];
    for (const [keyId, renewal] of [...this.#renewals]) {
      try {
        await this.#database.renewKeyHash(renewal);
        if (this.#renewals.get(keyId) === renewal) this.#renewals.delete(keyId);
      } catch (error) {
        failures.push(error);
      }
    }
    const used = noted.filter(([keyId]) => !this.#renewals.has(keyId));
    if (used.length > 0) await this.#database.noteKeyUses(used.map(([keyId, at]) => ({ keyId, usedAt: new Date(at) })));
    for (const [keyId, at] of used) if (this.#used.get(keyId) === at) this.#used.delete(keyId);
    if (failures.length > 0) throw failures[0];
  }
}
