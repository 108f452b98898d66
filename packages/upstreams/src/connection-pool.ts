import type { StreamConnection } from './stream-connection';

/** Somebody who needs a connection. Exactly one of the two is called, unless he leaves. */
export interface Waiter {
  use(connection: StreamConnection): void;
  /** He does not get one: too many waited before him, he waited too long, or the pool was closed. */
  refuse(): void;
}

export interface ConnectionPool {
  /** Serves the waiter at once if it can, else in his turn; refuses him when too many wait already, or after `maxWaitMs`. */
  take(waiter: Waiter): void;
  leave(waiter: Waiter): void;
  /** Every connection that was taken comes back once, broken or not. */
  giveBack(connection: StreamConnection): void;
  /** Nothing is under way and nobody waits. */
  isIdle(): boolean;
  /** Refuses who waits and ends what is under way. */
  close(): Promise<void>;
}

export interface ConnectionPoolLimits {
  maxConnections: number;
  maxWaiting: number;
  maxWaitMs: number;
  /** An unused connection is not used again after this, by the clock: timers are late where the machine is busy. */
  idleMs: number;
}

/** Connections of one origin. The one used last is used next, so that those beyond the need fall idle and close. */
export function createConnectionPool(open: () => StreamConnection, limits: ConnectionPoolLimits): ConnectionPool {
  return new OriginPool(open, limits);
}

class OriginPool implements ConnectionPool {
  readonly #open: () => StreamConnection;
  readonly #limits: ConnectionPoolLimits;
  readonly #connections = new Set<StreamConnection>();
  readonly #free: { connection: StreamConnection; sinceMs: number }[] = [];
  /** In order, with the end of each one's patience. */
  readonly #waiting = new Map<Waiter, NodeJS.Timeout>();
  #closed = false;

  constructor(open: () => StreamConnection, limits: ConnectionPoolLimits) {
    this.#open = open;
    this.#limits = limits;
  }

  take(waiter: Waiter): void {
    const connection = this.#find();
    if (connection !== undefined) waiter.use(connection);
    else if (!this.#closed && this.#waiting.size < this.#limits.maxWaiting) this.#wait(waiter);
    else waiter.refuse();
  }

  leave(waiter: Waiter): void {
    clearTimeout(this.#waiting.get(waiter));
    this.#waiting.delete(waiter);
  }

  giveBack(connection: StreamConnection): void {
    if (connection.destroyed) this.#connections.delete(connection);
    else this.#free.push({ connection, sinceMs: performance.now() });
    if (this.#waiting.size === 0) return;
    const [next] = this.#waiting.keys();
    const found = next && this.#find();
    if (!found) return;
    this.leave(next);
    next.use(found);
  }

  isIdle(): boolean {
    return this.#free.length === this.#connections.size;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#free.length = 0;
    for (const waiter of [...this.#waiting.keys()]) {
      this.leave(waiter);
      waiter.refuse();
    }
    await Promise.all([...this.#connections].map((connection) => connection.destroy()));
  }

  #find(): StreamConnection | undefined {
    const unused = this.#free.pop();
    if (unused !== undefined && performance.now() - unused.sinceMs < this.#limits.idleMs) return unused.connection;
    // Those below it have waited longer still.
    if (unused !== undefined) for (const { connection } of [unused, ...this.#free.splice(0)]) this.#discard(connection);
    if (this.#closed || this.#connections.size >= this.#limits.maxConnections) return undefined;
    const opened = this.#open();
    this.#connections.add(opened);
    return opened;
  }

  #discard(connection: StreamConnection): void {
    this.#connections.delete(connection);
    void connection.destroy();
  }

  #wait(waiter: Waiter): void {
    const giveUp = () => {
      this.#waiting.delete(waiter);
      waiter.refuse();
    };
    this.#waiting.set(waiter, setTimeout(giveUp, this.#limits.maxWaitMs));
  }
}
