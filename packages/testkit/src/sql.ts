import type { Database, PrismaClient } from '@mediagate/database';

/**
 * The whole of the client: its raw queries and its transactions, which `Database` hides, for tests that set the stage or look
 * behind it.
 */
export function prismaOf(database: Database): PrismaClient {
  return database as unknown as PrismaClient;
}

/** SQL of a test's own, on the connections of the database. */
export async function runSql<Row extends object>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return prismaOf(database).$queryRawUnsafe<Row[]>(text, ...values.map((value) => value ?? null));
}

/** The database with other methods in place of some of its own: one that fails, counts, or waits. */
export function withMethods<Methods extends Partial<Database>>(database: Database, methods: Methods): Database {
  // Defined, not assigned: the client hands on an assignment to itself.
  return Object.create(database, Object.getOwnPropertyDescriptors(methods));
}
