import type { StreamConnection } from './stream-connection';

/** Somebody who needs a connection. Exactly one of the two is called, unless he leaves. */
export interface Waiter {
  use(connection: StreamConnection): void;
  /** There is none and will be none. */
  refuse(): void;
}

export interface ConnectionPool {
  /** Serves the waiter at once if it can, else in his turn; refuses him at once when too many wait. */
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
}

/** Connections of one origin. The one used last is used next, so that those beyond the need fall idle and close. */
export function createConnectionPool(
  open: () => StreamConnection,
  { maxConnections, maxWaiting }: ConnectionPoolLimits,
): ConnectionPool {
  const connections = new Set<StreamConnection>();
  const free: StreamConnection[] = [];
  const waiting = new Set<Waiter>();
  let closed = false;

  function find(): StreamConnection | undefined {
    const unused = free.pop();
    if (unused !== undefined || closed || connections.size >= maxConnections) return unused;
    const opened = open();
    connections.add(opened);
    return opened;
  }

  return {
    take(waiter) {
      const connection = find();
      if (connection !== undefined) waiter.use(connection);
      else if (!closed && waiting.size < maxWaiting) waiting.add(waiter);
      else waiter.refuse();
    },
    leave: (waiter) => void waiting.delete(waiter),
    giveBack(connection) {
      if (connection.destroyed) connections.delete(connection);
      else free.push(connection);
      const [next] = waiting;
      const found = next && find();
      if (!found) return;
      waiting.delete(next);
      next.use(found);
    },
    isIdle: () => free.length === connections.size,
    async close() {
      closed = true;
      free.length = 0;
      const refused = [...waiting];
      waiting.clear();
      for (const waiter of refused) waiter.refuse();
      await Promise.all([...connections].map((connection) => connection.destroy()));
    },
  };
}
