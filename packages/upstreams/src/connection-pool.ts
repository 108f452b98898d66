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
}

/** Connections of one origin. The one used last is used next, so that those beyond the need fall idle and close. */
export function createConnectionPool(
  open: () => StreamConnection,
  { maxConnections, maxWaiting, maxWaitMs }: ConnectionPoolLimits,
): ConnectionPool {
  const connections = new Set<StreamConnection>();
  const free: StreamConnection[] = [];
  /** In order, with the end of each one's patience. */
  const waiting = new Map<Waiter, NodeJS.Timeout>();
  let closed = false;

  function find(): StreamConnection | undefined {
    const unused = free.pop();
    if (unused !== undefined || closed || connections.size >= maxConnections) return unused;
    const opened = open();
    connections.add(opened);
    return opened;
  }

  function wait(waiter: Waiter): void {
    const giveUp = () => {
      waiting.delete(waiter);
      waiter.refuse();
    };
    waiting.set(waiter, setTimeout(giveUp, maxWaitMs));
  }

  function leave(waiter: Waiter): void {
    clearTimeout(waiting.get(waiter));
    waiting.delete(waiter);
  }

  return {
    take(waiter) {
      const connection = find();
      if (connection !== undefined) waiter.use(connection);
      else if (!closed && waiting.size < maxWaiting) wait(waiter);
      else waiter.refuse();
    },
    leave,
    giveBack(connection) {
      if (connection.destroyed) connections.delete(connection);
      else free.push(connection);
      if (waiting.size === 0) return;
      const [next] = waiting.keys();
      const found = next && find();
      if (!found) return;
      leave(next);
      next.use(found);
    },
    isIdle: () => free.length === connections.size,
    async close() {
      closed = true;
      free.length = 0;
      for (const waiter of [...waiting.keys()]) {
        leave(waiter);
        waiter.refuse();
      }
      await Promise.all([...connections].map((connection) => connection.destroy()));
    },
  };
}
