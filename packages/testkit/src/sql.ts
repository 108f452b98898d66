import type { Database, PrismaClient } from '@mediagate/database';

/**
 * The whole of the client: its raw queries and its transactions, which `Database` hides, for tests that set the stage or look
 * behind it.
 */
export function prismaOf(database: Database): PrismaClient {
  return database as unknown as PrismaClient;
}

/** Far more than a test holds a transaction open on a busy machine, and less than Jest gives it. */
const HELD_MS = 120_000;

/** A transaction that stays open while the test works beside it: neither Prisma nor PostgreSQL ends it for being slow. */
export function holdTransaction<Result>(
  database: Database,
  work: (transaction: Parameters<Parameters<PrismaClient['$transaction']>[0]>[0]) => Promise<Result>,
): Promise<Result> {
  const limits = { maxWait: HELD_MS, timeout: HELD_MS };
  return prismaOf(database).$transaction(async (transaction) => {
    await transaction.$executeRawUnsafe(`set local idle_in_transaction_session_timeout = ${HELD_MS}`);
    return work(transaction);
  }, limits);
}

/**
 * Runs statements that triggers and foreign keys would refuse, as no task has a past. They are one statement to Prisma, whose transactions are
 * refused where all connections are in use for two seconds.
 */
export async function withoutGuards(database: Database, ...statements: string[]): Promise<void> {
  const all = ['set local session_replication_role = replica', ...statements].map((text) => `${text};`).join('\n');
  await prismaOf(database).$executeRawUnsafe(`do $guarded$ begin ${all} end $guarded$`);
}

/** SQL of a test's own, on the connections of the database. */
export async function runSql<Row extends object>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return prismaOf(database).$queryRawUnsafe<Row[]>(text, ...values.map((value) => value ?? null));
}

/** How many statements in this database wait for a lock. */
export async function countBlocked(database: Database): Promise<number> {
  const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await runSql(database, blocked)).length;
}

/** The database with other methods in place of some of its own: one that fails, counts, or waits. */
export function withMethods<Methods extends Partial<Database>>(database: Database, methods: Methods): Database {
  // Defined, not assigned: the client hands on an assignment to itself.
  return Object.create(database, Object.getOwnPropertyDescriptors(methods));
}
