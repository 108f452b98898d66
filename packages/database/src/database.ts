import { type BatchTally, newTally } from '@mediagate/concurrency';
import { PrismaPg } from '@prisma/adapter-pg';
import type { BatchName } from './batcher';
import { type ChangeOutcome, changeOnce } from './change-once';
import { ClockAhead } from './clock-ahead';
import { type ConnectionOptions, openConnections } from './connections';
import { toDatabaseError } from './database-error';
import { PrismaClient } from './generated/client';
import { methodsOf, statementNames } from './statement';
import { type Rows, STATEMENTS } from './statements';
import type { ChangedRow, ChangeRequest } from './statements/identity/note';

export type DatabaseOptions = ConnectionOptions;

/** Models of the rows that are read or written seldom and by key: accounts, keys, listings. */
type Models = Pick<PrismaClient, Exclude<keyof PrismaClient, `$${string}`>>;

/**
 * The one door to PostgreSQL: a Prisma client, extended by a method for each statement of `statements/`. Money and the state
 * of tasks move through statements alone, each of which is a transaction. There is no method for SQL of one's own, and none
 * for a transaction that stays open.
 *
 * @throws DatabaseUnavailableError from every method when the outcome is not known to be a commit.
 */
export interface Database extends Models, Methods {}

/** A process's use of the database. */
export interface DatabaseUse {
  connections: { busy: number; idle: number; limit: number };
  /** Calls that wait for a connection. */
  waiting: number;
  /** Tallies by the name of the batched operation. */
  batches: ReadonlyMap<BatchName, Readonly<BatchTally>>;
  /** How far the clock of this process was ahead of the database's at the last ping that was answered soon; undefined: there was none. */
  clockAheadSeconds: number | undefined;
  /** How long ago the server last had no space for a statement of this process; undefined: never. */
  fullSecondsAgo: number | undefined;
}

type Statements = typeof STATEMENTS;
type ChangeName = { [Name in keyof Rows]: Statements[Name] extends { isChange: true } ? Name : never }[keyof Rows];

/** Methods of statements that make a change, each once under the idempotency key of its request (`changeOnce`). */
type Changes = { [Name in ChangeName]: (...args: Parameters<Rows[Name]>) => Promise<ChangeOutcome> };

interface Methods extends Omit<Rows, ChangeName>, Changes {
  /** Where the batchers of this name count. */
  tally(name: BatchName): BatchTally;
  use(): DatabaseUse;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing connects before the first statement. Models and statements share one pool of connections. */
export function openDatabase(options: DatabaseOptions): Database {
  const connections = openConnections(options);
  const { pool, areNamed, fullAt } = connections;
  const { batches, tally } = openTallies();
  const naming = areNamed ? { statementNameGenerator: statementNames(STATEMENTS) } : {};
  // Prisma's longer messages hold lines of source and the values of a call, which belong in no log.
  const client = new PrismaClient({ adapter: new PrismaPg(pool, naming), errorFormat: 'minimal' });
  const runRaw = (text: string, ...values: unknown[]) => client.$queryRawUnsafe(text, ...values).catch(rethrow);
  const clock = new ClockAhead(runRaw);
  const rows = methodsOf(STATEMENTS, connections, { runRaw, tally });
  const methods: Methods = {
    ...rows,
    ...changesOf(rows),
    tally,
    use() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      const lastFullAt = fullAt();
      return {
        connections: { busy: totalCount - idle, idle, limit: options.poolSize },
        waiting,
        batches,
        clockAheadSeconds: clock.seconds,
        fullSecondsAgo: lastFullAt === undefined ? undefined : (performance.now() - lastFullAt) / 1000,
      };
    },
    // A process that is ready has loaded Prisma's engine, which takes 80 ms of CPU: no submission waits for it.
    ping: () => clock.measure(),
    async close() {
      await client.$disconnect();
      await pool.end();
    },
  };
  // Prisma's own type of what it extends says the same in another way; the raw queries and transactions stay hidden.
  return client.$extends({
    query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) },
    client: { ...methods },
  }) as unknown as Database;
}

function openTallies() {
  const batches = new Map<BatchName, BatchTally>();
  const tally = (name: BatchName) => {
    const known = batches.get(name) ?? newTally();
    batches.set(name, known);
    return known;
  };
  return { batches, tally };
}

function changesOf(rows: Rows): Changes {
  const makers = rows as unknown as Record<ChangeName, (...args: unknown[]) => Promise<ChangedRow[]>>;
  const names = Object.entries(STATEMENTS).flatMap(([name, statement]) => ('isChange' in statement ? [name] : []));
  const methods = (names as ChangeName[]).map((name) => {
    const make = (...args: unknown[]) => changeOnce(rows, args.at(-1) as ChangeRequest, () => makers[name](...args));
    return [name, make] as const;
  });
  return Object.fromEntries(methods) as unknown as Changes;
}

function rethrow(error: unknown): never {
  throw toDatabaseError(error);
}
