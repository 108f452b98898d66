import { type Held, Slots } from '@mediagate/concurrency';
import type { Owner } from '@mediagate/contracts';
import type { StreamConnection } from './stream-connection';

/** Somebody who needs a connection. Exactly one of the two is called, unless he leaves. */
export interface Waiter {
  readonly owner: Owner;
  use(connection: StreamConnection): void;
  /** The waiter gets no connection: too many waited before him, he waited too long, or the pool was closed. */
  refuse(): void;
}

export interface ConnectionPoolLimits {
  maxConnections: number;
  /** Connections of one owner; default: all. */
  perOwner?: number | undefined;
  maxWaiting: number;
  maxWaitMs: number;
  /** An unused connection is not used again after this, by the clock: timers are late where the machine is busy. */
  idleMs: number;
}

/** Connections of one origin. The one used last is used next, so that those beyond the need fall idle and close. */
export class ConnectionPool {
  readonly #open: () => StreamConnection;
  readonly #limits: ConnectionPoolLimits;
  readonly #slots: Slots;
  readonly #connections = new Set<StreamConnection>();
  readonly #free: { connection: StreamConnection; sinceMs: number }[] = [];
  /** The slots of those in use. */
  readonly #taken = new Map<StreamConnection, Held>();
  /** Takes one who waits for a slot out of his line. */
  readonly #leaving = new Map<Waiter, AbortController>();
  #closed = false;

  constructor(open: () => StreamConnection, limits: ConnectionPoolLimits) {
    this.#open = open;
    this.#limits = limits;
    this.#slots = slotsOf(limits);
  }

  /** Serves the waiter at once if it can, else in his turn; refuses him when too many wait already, or after `maxWaitMs`. */
  take(waiter: Waiter): void {
    const held = this.#closed ? undefined : this.#slots.tryTake(waiter);
    if (held !== undefined) this.#serve(waiter, held);
    else if (this.#closed) waiter.refuse();
    else void this.#wait(waiter);
  }

  /** The waiter may still be served, if his turn has come meanwhile. */
  leave(waiter: Waiter): void {
    this.#leaving.get(waiter)?.abort();
  }

  /** Every connection that was taken comes back once, broken or not. */
  giveBack(connection: StreamConnection): void {
    if (connection.destroyed) this.#connections.delete(connection);
    else this.#free.push({ connection, sinceMs: performance.now() });
    this.#taken.get(connection)?.release();
    this.#taken.delete(connection);
  }

  /** Nothing is under way and nobody waits. */
  isIdle(): boolean {
    return this.#slots.held === 0;
  }

  /** Refuses all waiters and ends all exchanges under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#free.length = 0;
    for (const leaving of this.#leaving.values()) leaving.abort();
    await Promise.all([...this.#connections].map((connection) => connection.destroy()));
  }

  async #wait(waiter: Waiter): Promise<void> {
    const leaving = new AbortController();
    this.#leaving.set(waiter, leaving);
    const patience = setTimeout(() => leaving.abort(), this.#limits.maxWaitMs);
    const held = await this.#slots.take(waiter, leaving.signal).catch(() => undefined);
    clearTimeout(patience);
    this.#leaving.delete(waiter);
    if (held === undefined) waiter.refuse();
    else this.#serve(waiter, held);
  }

  #serve(waiter: Waiter, held: Held): void {
    if (this.#closed) {
      held.release();
      waiter.refuse();
      return;
    }
    const connection = this.#unused() ?? this.#opened();
    this.#taken.set(connection, held);
    waiter.use(connection);
  }

  #unused(): StreamConnection | undefined {
    const unused = this.#free.pop();
    if (unused === undefined || performance.now() - unused.sinceMs < this.#limits.idleMs) return unused?.connection;
    // The connections below it have been unused for longer still.
    for (const { connection } of [unused, ...this.#free.splice(0)]) this.#discard(connection);
    return undefined;
  }

  #opened(): StreamConnection {
    const opened = this.#open();
    this.#connections.add(opened);
    return opened;
  }

  #discard(connection: StreamConnection): void {
    this.#connections.delete(connection);
    void connection.destroy();
  }
}

/** Without a share of each owner everybody is served in order. */
function slotsOf({ maxConnections: capacity, perOwner = capacity, maxWaiting }: ConnectionPoolLimits): Slots {
  if (perOwner < capacity) return new Slots({ capacity, perOwner, maxWaiting });
  return new Slots({ capacity, perOwner, forTests: capacity, maxWaiting, maxWaitingPerOwner: maxWaiting });
}
