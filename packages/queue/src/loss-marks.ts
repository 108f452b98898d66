import { randomUUID } from 'node:crypto';
import type { CommandConnection } from './connection';

/** Finds out by a mark under each prefix whether the server that has it lost everything. */
export class LossMarks {
  readonly #connection: CommandConnection;
  /** Marks, by key, written by commands whose answers never came: Redis may carry them out all the same. */
  readonly #unheard = new Map<string, string>();

  constructor(connection: CommandConnection) {
    this.#connection = connection;
  }

  /**
   * True once for each loss. What one server reports counts also while another does not answer.
   *
   * @throws Error where no server reports a loss and one does not answer.
   */
  async findLoss(prefixes: readonly string[]): Promise<boolean> {
    const marks = await Promise.allSettled(prefixes.map((prefix) => this.#mark(`${prefix}:alive`)));
    if (marks.some((mark) => mark.status === 'fulfilled' && mark.value)) return true;
    const failed = marks.find((mark) => mark.status === 'rejected');
    if (failed) throw failed.reason;
    return false;
  }

  /** True: the mark was not there before. */
  async #mark(key: string): Promise<boolean> {
    const { redis, command } = this.#connection;
    const former = this.#unheard.get(key);
    const value = former ?? randomUUID();
    this.#unheard.set(key, value);
    const written = await command(() => redis.set(key, value, 'NX'));
    const isNew = written === 'OK' || (former !== undefined && (await command(() => redis.get(key))) === former);
    this.#unheard.delete(key);
    return isNew;
  }
}
