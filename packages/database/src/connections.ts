import { Pool, type PoolConfig } from 'pg';
import { CONNECT_TIMEOUT_MS, SILENCE_MS } from './lease-times';

export interface ConnectionOptions {
  url: string;
  /** Connections at most. */
  poolSize: number;
  statementTimeoutMs: number;
  /** How long a statement waits for a connection; default `CONNECT_TIMEOUT_MS`. */
  connectTimeoutMs?: number | undefined;
  /** Shown in pg_stat_activity. */
  applicationName: string;
}

/**
 * A session that nobody uses is kept for so long. In a new one each statement is parsed and planned anew, 30 to 70 ms for a submission: after
 * the driver's own ten seconds that was paid whenever some requests came at once.
 */
const IDLE_MS = 30 * 60_000;
/** Sooner than what stands between forgets a connection that nobody uses: load balancers and NAT do after some minutes. */
const PROBE_AFTER_MS = 60_000;
const LOCK_TIMEOUT_MS = 2000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5000;

/**
 * A statement's plan is made once and kept: for a submission that comes alone, making it anew takes longer than all the rest.
 * Made while a table was young, it would read the whole of it, and go on doing so while the table grows a thousandfold, until
 * PostgreSQL next gathers statistics. Every statement here has its index, so that one is to be used from the first row on;
 * where there is none the table is still read.
 */
const PLAN_ONCE_BY_INDEXES = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

/**
 * With reads of whole tables disabled, PostgreSQL up to 17 rates one as so dear that it compiles the plan first: half a second, each time,
 * for a look at a few rows.
 */
const WITHOUT_COMPILER = '-c jit=off';

/** Prisma's models take the times that a session reads and writes for those of UTC, whatever zone the session has. */
const TIMES_IN_UTC = '-c timezone=UTC';

export interface Connections {
  pool: Pool;
  /** Statements are prepared by name, so that each is planned once on a connection. */
  areNamed: boolean;
  /** When the server last had no space for a statement, by the clock of this process's life; undefined: never. */
  fullAt(): number | undefined;
}

/**
 * Nothing connects before the first statement. With `?pgbouncer=true` in its URL the server is taken for a pooler in
 * transaction mode; with `?pgbouncer=named` for one that finds statements again that were prepared by name.
 */
export function openConnections(options: ConnectionOptions): Connections {
  const pooler = poolerOf(options.url);
  const config = {
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    // The server's own limit answers first; this one is for a server that no longer answers.
    query_timeout: options.statementTimeoutMs + SILENCE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    ...(pooler === undefined ? sessionSettings(options) : {}),
  };
  const pool = new Pool(withUrl(options.url, config));
  // An idle connection that breaks is replaced at the next statement; without a listener it would end the process.
  pool.on('error', () => undefined);
  let fullAt: number | undefined;
  pool.on('release', (error) => {
    if ((error as { code?: unknown } | undefined)?.code === DISK_FULL) fullAt = performance.now();
    if (error instanceof Error && error.message === SILENT) dropIdle(pool);
  });
  return { pool, areNamed: pooler !== 'true', fullAt: () => fullAt };
}

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100';

/** The driver's words for a connection on which nothing came for as long as `query_timeout`. */
const SILENT = 'Query read timeout';

/** Where one connection hangs the others do, too: the next statement opens a new one, and waits for no second one that hangs. */
function dropIdle(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

/** The settings with which a connection begins, and which it keeps. */
function sessionSettings({ statementTimeoutMs }: ConnectionOptions): PoolConfig {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: `${PLAN_ONCE_BY_INDEXES} ${WITHOUT_COMPILER} ${TIMES_IN_UTC}`,
  };
}

/**
 * The driver takes the URL's word for everything that both say. Here ours counts, and `options` are joined, of which PostgreSQL takes the
 * last: without `timezone=UTC`, for one, times would be read hours off.
 */
function withUrl(text: string, config: PoolConfig): PoolConfig {
  const url = new URL(text);
  const options = [...url.searchParams.getAll('options'), config.options].filter(Boolean).join(' ');
  for (const name of [...Object.keys(config), POOLER, 'options']) url.searchParams.delete(name);
  return { ...config, options, connectionString: url.href };
}

/** The word that Prisma has for it, too. */
const POOLER = 'pgbouncer';

/** PgBouncer since 1.21, where `max_prepared_statements` is above zero, prepares a name anew in each session that lacks it. */
const KEEPS_NAMES = 'named';

/**
 * A pooler in transaction mode gives each statement another session. It refuses connections that bring settings of their own, so that
 * they are those of the role.
 */
export function isPoolerUrl(text: string): boolean {
  return poolerOf(text) !== undefined;
}

function poolerOf(text: string): 'true' | typeof KEEPS_NAMES | undefined {
  const named = new URL(text).searchParams.get(POOLER);
  return named === 'true' || named === KEEPS_NAMES ? named : undefined;
}
