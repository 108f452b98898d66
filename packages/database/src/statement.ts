import { type CustomTypesConfig, type Pool, type QueryConfig, types } from 'pg';
import type { Connections } from './connections';
import { toDatabaseError } from './database-error';

/** The most that a column of money holds: what vendors report may add up to more. */
export const MAX_BIGINT = '9223372036854775807';

/** A statement of SQL: its text, and how the arguments of its method become its parameters. `Row`: what each row has. */
export interface Statement<Arguments extends unknown[], Row extends object> {
  text: string;
  values(...args: Arguments): unknown[];
  /** Set where it moves money of an account: it runs as a raw query of Prisma. The driver runs all others. */
  byPrisma?: true;
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

/** A raw query of Prisma, `$queryRawUnsafe`: by the client itself, because the hooks of an extended one copy arguments. */
type RunRaw = (text: string, ...values: unknown[]) => Promise<unknown>;

/**
 * Runs each statement as a transaction of its own, prepared under its name where the server keeps names. A raw query of
 * Prisma costs more CPU than one of the driver (docs/adr/0020).
 */
export function methodsOf<Named extends Statements>(
  statements: Named,
  { pool, areNamed }: Connections,
  runRaw: RunRaw,
): StatementMethods<Named> {
  const methods = Object.entries(statements).map(([name, { text, values, byPrisma }]) => {
    if (byPrisma) return [name, async (...args: unknown[]) => runRaw(text, ...values(...args).map(toParameter))];
    const prepared = areNamed ? { name, text } : { text };
    return [name, (...args: unknown[]) => runByDriver(pool, { ...prepared, values: values(...args) })];
  });
  return Object.fromEntries(methods);
}

/** Returns the name of a statement that Prisma runs. Other texts have none: those of models vary with the length of a list, and would pile up on the server. */
export function statementNames(statements: Statements): (query: { sql: string }) => string {
  const entries = Object.entries(statements).filter(([, { byPrisma }]) => byPrisma);
  const names = new Map(entries.map(([name, { text }]) => [text, name]));
  return ({ sql }) => names.get(sql) ?? '';
}

/** Prisma takes the type of an array from its first element, so that bytes behind a null would be texts, and handles each by itself. */
function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? `{${value.map(toElement)}}` : value;
}

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

async function runByDriver(pool: Pool, query: QueryConfig): Promise<object[]> {
  try {
    return (await pool.query<object>({ ...query, types: typeParsers })).rows;
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
