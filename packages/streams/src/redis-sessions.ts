import { setTimeout as delay } from 'node:timers/promises';
import { findServer, type RedisNode } from '@mediagate/queue';

/** Longest wait for a connection, and for the answer to any command, in milliseconds. */
const COMMAND_TIMEOUT_MS = 1500;
const LIMITS = { connectTimeout: COMMAND_TIMEOUT_MS, commandTimeout: COMMAND_TIMEOUT_MS };
const PING_EVERY_MS = 1000;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [50, 1000];

/** Lives as long as its connections do. */
export interface Session {
  /** Called once, before anything else. */
  begin(): Promise<void>;
  /** Called once; Redis may be away by then. */
  end(): Promise<void>;
}

export interface SessionOptions<S extends Session> {
  redisUrl: string;
  /** The server that has it is the one of all connections. */
  key: string;
  connections: number;
  onError(error: Error): void;
  /** A session on connections that are ready when it begins. `fail` ends it, and the next one begins. */
  create(connections: RedisNode[], fail: (error: Error) => void): S;
}

export interface Sessions<S extends Session> {
  /** Undefined while Redis is away. */
  current(): S | undefined;
  /** The current session, or the next one if it begins in time. */
  within(limitMs: number): Promise<S | undefined>;
  close(): Promise<void>;
}

/**
 * Keeps a session open, and begins another when any of its connections breaks or does not answer. Nothing is carried over:
 * a connection that reconnects by itself would hide that messages were lost in between.
 */
export function keepSessions<S extends Session>(options: SessionOptions<S>): Sessions<S> {
  const closing = new AbortController();
  let current: S | undefined;
  const waiting = new Waiting<S>();

  function become(session: S | undefined): void {
    current = session;
    if (session === undefined && !closing.signal.aborted) return;
    waiting.end(session);
  }

  async function keep(): Promise<void> {
    let pauseMs = MIN_PAUSE_MS;
    while (!closing.signal.aborted) {
      const began = await runSession().catch((error: Error) => void options.onError(error));
      pauseMs = began ? MIN_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS);
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  /** One session from its first connection to its end. True: it began. */
  async function runSession(): Promise<boolean> {
    const openConnection = await findServer(options.redisUrl, options.key, LIMITS);
    const connections = Array.from({ length: options.connections }, openConnection);
    const { broken, fail } = watch(connections, { key: options.key, closing: closing.signal });
    try {
      const session = await begin(options.create(connections, fail), connections);
      become(session);
      try {
        const cause = await broken;
        if (!closing.signal.aborted) options.onError(cause);
      } finally {
        // `end` sends its last messages while the session is still current; afterwards nothing new starts on it.
        const ended = session.end();
        become(undefined);
        await ended;
      }
      return true;
    } finally {
      for (const connection of connections) connection.disconnect();
    }
  }

  const kept = keep();
  return {
    current: () => current,
    within(limitMs) {
      if (current || closing.signal.aborted) return Promise.resolve(current);
      return waiting.wait(limitMs);
    },
    async close() {
      closing.abort(new Error('closed'));
      become(undefined);
      await kept;
    },
  };
}

/** Who waits for the next session. Each leaves with it, or with its own time. */
class Waiting<S> {
  readonly #ends = new Set<(session: S | undefined) => void>();

  wait(limitMs: number): Promise<S | undefined> {
    return new Promise((resolve) => {
      const end = (session: S | undefined) => {
        clearTimeout(timer);
        this.#ends.delete(end);
        resolve(session);
      };
      const timer = setTimeout(end, limitMs, undefined);
      this.#ends.add(end);
    });
  }

  end(session: S | undefined): void {
    for (const end of this.#ends) end(session);
  }
}

async function begin<S extends Session>(session: S, connections: readonly RedisNode[]): Promise<S> {
  await Promise.all(connections.map((connection) => connection.connect()));
  await session.begin();
  return session;
}

/** Resolves with what broke the first of them: its end, or a command without an answer. */
function watch(
  connections: readonly RedisNode[],
  { key, closing }: { key: string; closing: AbortSignal },
): { broken: Promise<Error>; fail(error: Error): void } {
  let fail: (error: Error) => void = () => undefined;
  const broken = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  // A subscriber sends nothing, so only a ping shows that the other end is gone. The key shows that a cluster has moved it elsewhere.
  const look = (connection: RedisNode) =>
    connection.mode === 'subscriber' ? connection.ping() : connection.exists(key);
  const pinging = setInterval(() => {
    for (const connection of connections) if (connection.status === 'ready') look(connection).catch(fail);
  }, PING_EVERY_MS);
  const onClosing = () => fail(closing.reason as Error);
  closing.addEventListener('abort', onClosing, { once: true });
  void broken.then(() => {
    clearInterval(pinging);
    closing.removeEventListener('abort', onClosing);
  });
  for (const connection of connections) {
    connection.on('error', fail);
    connection.once('end', () => fail(new Error('a connection to Redis has ended')));
  }
  return { broken, fail };
}
