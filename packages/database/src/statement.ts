import type { BatchTally } from '@mediagate/concurrency';
import { type CustomTypesConfig, type Pool, type QueryConfig, types } from 'pg';
import { type BatchName, createRowBatcher } from './batcher';
import type { Connections } from './connections';
import { toDatabaseError } from './database-error';
import { retrySafely } from './retry';

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

/** A statement that calls of its method share: those that come together run as one. Each call is answered its row; undefined: there is none. */
export interface SharedStatement<Arguments extends unknown[], Row extends object> {
  text: string;
  /** @param calls the arguments of each. */
  values(calls: readonly Arguments[]): unknown[];
  shared: {
    /** The tally that counts its batches; default: none. */
    tally?: BatchName;
    callId(...args: Arguments): string;
    rowId(row: Row): string;
    /** Calls of one batch at most; default: 64. */
    maxTogether?: number;
    /** Calls that wait at most; beyond it a call is refused with `DatabaseBusyError`. Default: 5000. */
    maxWaiting?: number;
    /** Only the first of equal calls of one batch gets the row. Default: all do. */
    once?: boolean;
    /** It recognises its own earlier effect, and is run again if the database hesitates. */
    isRetried?: boolean;
  };
  byPrisma?: never;
  /** Never set: it carries the type. */
  row?: Row;
}

/**
 * A statement whose method answers whether there was a row. To one that carries a claim's fence the answer says whether the claim still held:
 * `false` means that its worker must stop, whatever it did.
 */
export type Whether<Of> = Of & { asksWhether: true };

// biome-ignore lint/suspicious/noExplicitAny: arguments of any statement
type OwnStatement = Statement<any[], any> & { asksWhether?: true };
// biome-ignore lint/suspicious/noExplicitAny: arguments of any statement
type AnyShared = SharedStatement<any[], any> & { asksWhether?: true };
type Statements = Record<string, OwnStatement | AnyShared>;

type Answer<Of, Otherwise> = Of extends { asksWhether: true } ? boolean : Otherwise;

type Method<Of> =
  Of extends SharedStatement<infer Arguments, infer Row>
    ? (...args: Arguments) => Promise<Answer<Of, Row | undefined>>
    : Of extends Statement<infer Arguments, infer Row>
      ? (...args: Arguments) => Promise<Answer<Of, Row[]>>
      : never;

/** A method for each statement, of its name. */
export type StatementMethods<Named extends Statements> = { [Name in keyof Named]: Method<Named[Name]> };

/** A raw query of Prisma, `$queryRawUnsafe`: by the client itself, because the hooks of an extended one copy arguments. */
type RunRaw = (text: string, ...values: unknown[]) => Promise<unknown>;

/**
 * Runs each statement as a transaction of its own, prepared under its name where the server keeps names. A raw query of
 * Prisma costs more CPU than one of the driver (docs/adr/0020).
 */
export function methodsOf<Named extends Statements>(
  statements: Named,
  { pool, areNamed }: Connections,
  { runRaw, tally }: { runRaw: RunRaw; tally(name: BatchName): BatchTally },
): StatementMethods<Named> {
  const methods = Object.entries(statements).map(([name, statement]) => {
    const { text } = statement;
    const prepared = areNamed ? { name, text } : { text };
    const run: Run = statement.byPrisma
      ? (values) => runRaw(text, ...values.map(toParameter)) as Promise<object[]>
      : (values) => runByDriver(pool, { ...prepared, values });
    return [name, 'shared' in statement ? sharedMethod(statement, run, tally) : ownMethod(statement, run)];
  });
  return Object.fromEntries(methods);
}

type Run = (values: unknown[]) => Promise<object[]>;

function ownMethod({ values, asksWhether }: OwnStatement, run: Run) {
  if (asksWhether) return async (...args: unknown[]) => (await run(values(...args))).length > 0;
  return async (...args: unknown[]) => run(values(...args));
}

const MAX_CALLS_TOGETHER = 64;
const MAX_CALLS_WAITING = 5000;

function sharedMethod({ values, shared, asksWhether }: AnyShared, run: Run, tally: (name: BatchName) => BatchTally) {
  const { tally: name, callId, rowId, maxTogether, maxWaiting, once, isRetried } = shared;
  const add = createRowBatcher({
    maxItems: maxTogether ?? MAX_CALLS_TOGETHER,
    maxWaiting: maxWaiting ?? MAX_CALLS_WAITING,
    ...(name && { tally: tally(name) }),
    rowsFor: (calls: unknown[][]) => (isRetried ? retrySafely(() => run(values(calls))) : run(values(calls))),
    itemId: (call) => callId(...call),
    rowId,
    ...(once && { once }),
  });
  if (asksWhether) return async (...args: unknown[]) => (await add(args)) !== undefined;
  return (...args: unknown[]) => add(args);
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
