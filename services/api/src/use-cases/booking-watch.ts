import { RepeatedLook } from '@mediagate/concurrency';
import { type TaskId, timeOfId } from '@mediagate/contracts';
import { type Owned, sees, type Visibility } from '@mediagate/database';
import type { Logger } from '@mediagate/host';

export interface BookingWatchDeps {
  /** Of the tasks, those that are in the books, with whose they are. */
  findOwners(ids: readonly TaskId[]): Promise<(Owned & { id: string })[]>;
  /** How long after its id was made a task may come into the books, in milliseconds; 0: nothing is paid from credit here, and nobody waits. */
  withinMs: number;
  /**
   * For whoever waits; the function it returns gives the slot back.
   *
   * @throws GatewayError what is answered where there is none.
   */
  takeSlot(accountId: string): () => void;
  logger: Logger;
}

interface Waiter extends Visibility {
  id: TaskId;
  /** By `performance.now()`. */
  until: number;
  leave(): void;
}

const LOOK_MS = 25;
/** Clocks of processes, by which ids are made and judged, are no further apart. */
const CLOCKS_APART_MS = 1000;

/**
 * A text on credit is answered before it is in the books, and its id is known then. Whoever asks for it by that waits here until it is there. All
 * waiters of a process cost one statement each `LOOK_MS`; without any, nothing runs. Each has a slot, which bounds them.
 */
export class BookingWatch {
  readonly #deps: BookingWatchDeps;
  readonly #waiting = new Set<Waiter>();
  readonly #looks: RepeatedLook;

  constructor(deps: BookingWatchDeps) {
    this.#deps = deps;
    this.#looks = new RepeatedLook({
      everyMs: LOOK_MS,
      isWanted: () => this.#waiting.size > 0,
      look: () => this.#look(),
      // The next look may succeed; who waits too long reads once more, and fails as any who finds no database.
      onError: (error) => deps.logger.warn('booking_watch.look_failed', { count: this.#waiting.size, error }),
    });
  }

  /** What `read` finds of a task that `who` sees; if it finds nothing that may still come, again once that is booked or its time is up. */
  async read<T>(id: TaskId, who: Visibility, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await read();
    const waitMs = found === undefined ? this.#waitMs(id) : 0;
    if (waitMs <= 0) return found;
    await this.#untilBooked(id, who, waitMs);
    return read();
  }

  /** 0 or less: what is not there by now was never accepted, or not by a process of ours. */
  #waitMs(id: TaskId): number {
    const { withinMs } = this.#deps;
    if (withinMs === 0) return 0;
    const ageMs = Date.now() - timeOfId(id.slice('task_'.length));
    return ageMs < -CLOCKS_APART_MS ? 0 : withinMs + CLOCKS_APART_MS - ageMs;
  }

  async #untilBooked(id: TaskId, { accountId, ownKeyId }: Visibility, waitMs: number): Promise<void> {
    const giveBack = this.#deps.takeSlot(accountId);
    try {
      await new Promise<void>((leave) => {
        this.#waiting.add({ id, accountId, ownKeyId, until: performance.now() + waitMs, leave });
        this.#looks.start();
      });
    } finally {
      giveBack();
    }
  }

  /** Another's task is waited for as long as one that never was, so that nobody learns which of the two it is. */
  async #look(): Promise<void> {
    const owners = new Map<string, Owned>();
    try {
      const ids = new Set([...this.#waiting].map(({ id }) => id));
      for (const { id, ...owned } of await this.#deps.findOwners([...ids])) owners.set(id, owned);
    } finally {
      const now = performance.now();
      for (const waiter of this.#waiting) {
        const owned = owners.get(waiter.id);
        const isBooked = owned !== undefined && sees(waiter, owned);
        if (!isBooked && now < waiter.until) continue;
        this.#waiting.delete(waiter);
        waiter.leave();
      }
    }
  }
}
