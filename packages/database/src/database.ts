import { PrismaPg } from '@prisma/adapter-pg';
import { type ConnectionOptions, openConnections } from './connections';
import { toDatabaseError } from './database-error';
import { PrismaClient } from './generated/client';
import { methodsOf, type StatementMethods } from './statement';
import { STATEMENTS } from './statements';

export type DatabaseOptions = ConnectionOptions;

/** What is read or written by its key and seldom: accounts, keys, listings. */
type Models = Pick<PrismaClient, Exclude<keyof PrismaClient, `$${string}`>>;

/**
 * The one door to PostgreSQL: a Prisma client, extended by a method for each statement of `statements/`. Money and the state
 * of tasks move through statements alone, each of which is a transaction. There is no method for SQL of one's own, and none
 * for a transaction that stays open.
 *
 * @throws DatabaseUnavailableError from every method when the outcome is not known to be a commit.
 */
export interface Database extends Models, Methods {}

interface Methods extends StatementMethods<typeof STATEMENTS> {
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing connects before the first statement. Models and statements share one pool of connections. */
export function openDatabase(options: DatabaseOptions): Database {
  const connections = openConnections(options);
  const { pool } = connections;
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const methods: Methods = {
    ...methodsOf(STATEMENTS, connections),
    ping: () => pool.query('select 1').then(() => undefined, rethrow),
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
  const extended = prisma.$extends({
    client: { ...methods },
    query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) },
  });
  // Prisma's own type of what it extends says the same in another way; the raw queries and transactions stay hidden.
  return extended as unknown as Database;
}

function rethrow(error: unknown): never {
  throw toDatabaseError(error);
}
