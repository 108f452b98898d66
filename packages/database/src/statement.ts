import { type CustomTypesConfig, types } from 'pg';
import type { Connections } from './connections';
import { toDatabaseError } from './database-error';

/** The most that a column of money holds: what vendors report may add up to more. */
export const MAX_BIGINT = '9223372036854775807';

/** A statement of SQL: its text, and how the arguments of its method become its parameters. `Row`: what each row has. */
export interface Statement<Arguments extends unknown[], Row extends object> {
  text: string;
  values(...args: Arguments): unknown[];
  /** Never set: it carries the type. */
  row?: Row;
}

// biome-ignore lint/suspicious/noExplicitAny: arguments of any statement
type Statements = Record<string, Statement<any, any>>;

/** A method for each statement, of its name. */
export type StatementMethods<Named extends Statements> = {
  [Name in keyof Named]: Named[Name] extends Statement<infer Arguments, infer Row>
    ? (...args: Arguments) => Promise<Row[]>
    : never;
};

/**
 * Runs a statement by the driver's own pool, prepared under its name, so that its plan is made once on a connection. Each
 * is a transaction of its own.
 */
export function methodsOf<Named extends Statements>(
  statements: Named,
  connections: Connections,
): StatementMethods<Named> {
  const methods = Object.entries(statements).map(([name, { text, values }]) => {
    const prepared = connections.isPooler ? { text } : { name, text };
    return [name, (...args: unknown[]) => run(connections, prepared, values(...args))];
  });
  return Object.fromEntries(methods);
}

async function run<Row extends object>(
  { pool }: Connections,
  prepared: { name?: string; text: string },
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ ...prepared, values, types: typeParsers })).rows;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** 64-bit integers are bigints; Prisma parses its own, so the driver's global table must stay as it is. */
const INT8 = 20;
const typeParsers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? (text: string) => BigInt(text) : types.getTypeParser(oid, format),
};
