import { types } from 'node:util';

/**
 * The database cannot serve: no connection, none free in time, a time limit, a shutdown, or a primary that became read-only. Whether a write took place is
 * unknown, so callers either try again with the same identity or answer "unavailable".
 */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/** As many calls wait already as may, or the call was put off too often: nothing was written. */
export class DatabaseBusyError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'DatabaseBusyError';
  }
}

/** Lost a race that the database resolved by ending one side: nothing was written, and trying again is right. */
export class DatabaseConflictError extends Error {
  constructor(cause: unknown) {
    super('the statement lost a race and was rolled back', { cause });
    this.name = 'DatabaseConflictError';
  }
}

/** The database could not serve, or the statement lost a race: nothing is decided, and trying again is right. */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseConflictError || error instanceof DatabaseUnavailableError;
}

/**
 * Classes of SQLSTATE (their first two characters) that the statement itself is the cause of: cardinality, values, constraints, its
 * text and rights, limits of its size. Any other class is about the server (read-only, starting, full, a password that was changed),
 * and may be gone by the next try. `P0`, raised by functions of our own, is none of PostgreSQL's.
 */
const OWN_FAULT = new Set(['21', '22', '23', '42', '44', '54']);
const SERVER_CLASS = /^(?:[0-5][0-9A-Z]|F0|HV|XX)[0-9A-Z]{3}$/;
const CONFLICT = new Set(['40001', '40P01', '55P03']);
/** The system's codes, of whatever keeps this process from the server, as `ENETUNREACH` or `EMFILE`. Node's own begin with `ERR_`. */
const SYSTEM = /^E(?!RR_)[A-Z]/;
const DRIVER_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|client has encountered a connection error|Cannot use a pool after/i;

/** How Prisma names what the driver met before PostgreSQL answered. */
const PRISMA_SOCKET = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout']);

/** Sorts the driver's errors and Prisma's into the three things a caller can act on; anything else is a bug and passes through. */
export function toDatabaseError(error: unknown): unknown {
  // Not `instanceof`: under a test runner the driver's errors come from another realm.
  if (!types.isNativeError(error)) return error;
  const code = codeOf(error) ?? '';
  if (CONFLICT.has(code)) return new DatabaseConflictError(error);
  if (SERVER_CLASS.test(code) && !OWN_FAULT.has(code.slice(0, 2))) return new DatabaseUnavailableError(error);
  if (SYSTEM.test(code) || PRISMA_SOCKET.has(code) || DRIVER_MESSAGE.test(error.message)) {
    return new DatabaseUnavailableError(error);
  }
  return error;
}

/** PostgreSQL's five-character code of a rejected statement, for example `23505`. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** SQLSTATE `query_canceled`. */
const STATEMENT_TIMEOUT = '57014';

/** Whether PostgreSQL ended the statement at its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && sqlState(error.cause) === STATEMENT_TIMEOUT;
}

/** Prisma's copy of the driver's error, whose code it replaces by one of its own. */
interface PrismaMeta {
  driverAdapterError?: { cause?: { originalCode?: string; kind?: string } };
}

/** PostgreSQL's or the socket's code, also of an error that came through a model. */
function codeOf(error: unknown): string | undefined {
  const { code, meta } = (error ?? {}) as { code?: unknown; meta?: PrismaMeta };
  const cause = meta?.driverAdapterError?.cause;
  if (cause !== undefined) return cause.originalCode ?? cause.kind;
  return typeof code === 'string' ? code : undefined;
}
