import type { TaskId } from '@mediagate/contracts';
import { openDatabase } from '@mediagate/database';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolConfig } from 'pg';
import { PrismaClient } from '../../packages/database/src/generated/client';
import { FIELDS, type NamedStatement, type Owner, PLANS, READ, SUBMIT, submissionValues } from './door-statements';

/** One way for the statements that callers wait for most to reach PostgreSQL, over one connection. */
export interface Door {
  name: string;
  /** Absent: this way cannot submit. */
  submit?(owner: Owner, taskIds: TaskId[]): Promise<unknown>;
  read(taskIds: TaskId[]): Promise<unknown>;
  /** The statements prepared on the connection, and how often PostgreSQL used each one's generic plan or planned it anew. */
  plans?(): Promise<object[]>;
  close(): Promise<void>;
}

/** The settings of the product's own connections. */
const CONNECTION: PoolConfig = { max: 1, options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off' };

/** The product's own way: statements of the extended client. */
export function openProductDoor(url: string): Door {
  const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 60_000, applicationName: 'bench' });
  const options = { idempotencySeconds: 86_400, lockWaitMs: 2000 };
  return {
    name: 'product',
    submit(owner, taskIds) {
      const items = taskIds.map((taskId) => ({ taskId, ...owner }));
      return database.submitTasks(
        items,
        items.map(() => FIELDS),
        options,
      );
    },
    read: (taskIds) => database.readTasks(taskIds),
    close: () => database.close(),
  };
}

/** The driver's pool and nothing else. */
export function openDriverDoor(url: string): Door {
  const pool = new Pool({ ...CONNECTION, connectionString: url });
  const run = async (statement: NamedStatement, values: unknown[]) =>
    (await pool.query<object>({ ...statement, values })).rows;
  return { name: 'driver', ...statementsBy(run), close: () => pool.end() };
}

/** Prisma's raw queries, with statements prepared by name as the adapter allows. */
export function openRawQueryDoor(url: string): Door {
  const { prisma, nameOf } = openPrisma(url);
  const run = ({ name, text }: NamedStatement, values: unknown[]) => {
    nameOf.set(text, name);
    return prisma.$queryRawUnsafe<object[]>(text, ...values);
  };
  return { name: 'raw query', ...statementsBy(run), close: () => prisma.$disconnect() };
}

/** Prisma's models, whose own statements are prepared, too. */
export function openModelDoor(url: string): Door {
  const { prisma } = openPrisma(url);
  return {
    name: 'model',
    read: (taskIds) => prisma.task.findMany({ where: { id: { in: taskIds } } }),
    close: () => prisma.$disconnect(),
  };
}

function statementsBy(run: (statement: NamedStatement, values: unknown[]) => Promise<object[]>) {
  return {
    submit: (owner: Owner, taskIds: TaskId[]) => run(SUBMIT, submissionValues(owner, taskIds)),
    read: (taskIds: TaskId[]) => run(READ, [taskIds]),
    plans: () => run(PLANS, []),
  };
}

function openPrisma(url: string): { prisma: PrismaClient; nameOf: Map<string, string> } {
  const nameOf = new Map<string, string>();
  const statementNameGenerator = ({ sql }: { sql: string }) => {
    const name = nameOf.get(sql) ?? `prisma.${nameOf.size}`;
    nameOf.set(sql, name);
    return name;
  };
  const adapter = new PrismaPg({ ...CONNECTION, connectionString: url }, { statementNameGenerator });
  return { prisma: new PrismaClient({ adapter }), nameOf };
}
