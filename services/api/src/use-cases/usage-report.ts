import {
  BookingsRemovedError,
  type Invoice,
  type Month,
  readInvoice,
  sumUsage,
  toCsv,
  type UsageGroups,
  type UsageQuery,
  type UsageRow,
} from '@mediagate/billing';
import { Slots } from '@mediagate/concurrency';
import { GatewayError, message, type Nano, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import { type Database, isStatementTimeout, sqlState } from '@mediagate/database';
import { invalid } from './invalid';

export const EXAMPLE_ZONE = 'Asia/Shanghai';

export interface UsageRequest extends Omit<UsageQuery, 'limit' | 'groups'> {
  /** Names of the groups, in the order of the columns. */
  groupBy: readonly string[];
}

/** Sums over one group, or over all of them. */
interface Sums {
  tasks: number;
  completed: number;
  failed: number;
  chargedNano: Nano;
}

export interface UsageReport {
  groupBy: readonly string[];
  /** The values of a group are in the order of `groupBy`. */
  rows: readonly (Sums & { values: readonly (string | null)[] })[];
  total: Sums;
}

/** Groups of one report: as many as fit into an answer. */
const MAX_GROUPS = 10_000;
/** Reports of one process at once, one for each account: they may read millions of rows, and must leave connections for submissions. */
const MAX_AT_ONCE = 4;
const WAIT_MAX_MS = 2000;
/** Time limit for the whole sum; each of its statements ends sooner. */
const SUM_MAX_MS = 15_000;
/** SQLSTATE `invalid_parameter_value`. */
const INVALID_VALUE = '22023';
export const METADATA_PREFIX = 'metadata.';

/** Makes a report once its turn has come. @throws GatewayError `rate_limited` when that was not in time. */
export type InTurn = <Report>(make: () => Promise<Report>) => Promise<Report>;

export function createUsageSlots(): Slots {
  return new Slots({ capacity: MAX_AT_ONCE, perOwner: 1 });
}

/** The turns of an account. */
export function turnsOfAccount({ usageSlots }: { usageSlots: Slots }, accountId: string): InTurn {
  return async (make) => {
    const { release } = await usageSlots.take({ owner: { accountId } }, AbortSignal.timeout(WAIT_MAX_MS)).catch(refuse);
    return make().finally(release);
  };
}

/**
 * Sums up what an account used.
 *
 * @throws GatewayError `invalid_request` for a time zone that the database does not know, when there are more groups or tasks than one report
 * can sum up, and where single bookings of the time are removed; `rate_limited` when its turn did not come in time.
 */
export async function reportUsage(
  api: { database: Database; usageSlots: Slots },
  { groupBy, ...query }: UsageRequest,
): Promise<UsageReport> {
  const wanted = { ...query, groups: groupsOf(groupBy), limit: MAX_GROUPS + 1 };
  const rows = await turnsOfAccount(
    api,
    query.accountId,
  )(() => sumUsage(api.database, wanted, { withinMs: SUM_MAX_MS }).catch(refuseReport));
  if (rows === undefined) throw tooLong();
  if (rows.length > MAX_GROUPS) throw invalid('group_by', 'too_many_groups', { limit: MAX_GROUPS });
  return toReport(groupBy, rows);
}

/** PostgreSQL has its own list of zones, and knows none of this name; or the statement's time was up; or bookings are removed. */
export function refuseReport(error: unknown): never {
  if (error instanceof BookingsRemovedError) throw bookingsRemoved('from', error);
  if (isStatementTimeout(error)) throw tooLong();
  if (sqlState(error) !== INVALID_VALUE) throw error;
  throw invalid('timezone', 'must_be_time_zone', { example: EXAMPLE_ZONE });
}

function bookingsRemoved(param: string, { keptSince }: BookingsRemovedError): GatewayError {
  return invalid(param, 'bookings_removed', { day: keptSince.toISOString().slice(0, 10) });
}

function tooLong(): GatewayError {
  return invalid('from', 'report_too_long', { other: 'to' });
}

function refuse(): never {
  throw new GatewayError('rate_limited', message('too_many_open_requests_of_account'), { retryAfterSeconds: 1 });
}

function groupsOf(groupBy: readonly string[]): UsageGroups {
  const has = (name: string) => groupBy.includes(name);
  const metadata = metadataNames(groupBy);
  return { day: has('day'), model: has('model'), key: has('key'), family: has('family'), metadata };
}

function metadataNames(groupBy: readonly string[]): string[] {
  return groupBy.flatMap((name) => (name.startsWith(METADATA_PREFIX) ? [name.slice(METADATA_PREFIX.length)] : []));
}

function toReport(groupBy: readonly string[], found: readonly UsageRow[]): UsageReport {
  const names = metadataNames(groupBy);
  const rows = found.map((row) => ({
    values: groupBy.map((name) => groupValue(row, name, names)),
    tasks: Number(row.tasks),
    completed: Number(row.completed),
    failed: Number(row.failed),
    chargedNano: row.chargedNano,
  }));
  return { groupBy, rows, total: rows.reduce(add, { tasks: 0, completed: 0, failed: 0, chargedNano: 0n }) };
}

function groupValue(row: UsageRow, name: string, metadataNamesAsked: readonly string[]): string | null {
  if (name.startsWith(METADATA_PREFIX)) {
    return row.metadata?.[metadataNamesAsked.indexOf(name.slice(METADATA_PREFIX.length))] ?? null;
  }
  return row[name as 'day' | 'model' | 'key' | 'family'];
}

function add(sum: Sums, row: Sums): Sums {
  return {
    tasks: sum.tasks + row.tasks,
    completed: sum.completed + row.completed,
    failed: sum.failed + row.failed,
    chargedNano: sum.chargedNano + row.chargedNano,
  };
}

const SUMS = ['tasks', 'completed', 'failed', 'charged'] as const;

/** The report as the answer shows it: a field for each group, then the sums. */
export function usageAsJson({ groupBy, rows, total }: UsageReport): object {
  return {
    data: rows.map((row) => ({
      ...Object.fromEntries(groupBy.map((name, index) => [name, row.values[index]])),
      ...sumsAsJson(row),
    })),
    total: sumsAsJson(total),
  };
}

function sumsAsJson({ tasks, completed, failed, chargedNano }: Sums): object {
  return { tasks, completed, failed, charged: nanoToNumber(chargedNano) };
}

/** A line for each group. What is charged is exact. */
export function usageAsCsv(
  { groupBy, rows, timezone }: UsageReport & { timezone?: string | undefined },
  asText: (value: string) => string,
): string {
  const lines = rows.map(({ values, tasks, completed, failed, chargedNano }) => [
    ...values.map((value) => asText(value ?? '')),
    String(tasks),
    String(completed),
    String(failed),
    nanoToDecimal(chargedNano),
  ]);
  return toCsv([...groupBy, ...SUMS], lines, timezone);
}

/**
 * Sums up what was booked on an account in a month. Tasks of the days that a zone's midnights cut are read one by one, back to the oldest
 * submission of what ended on them: such an invoice takes the turn of a report.
 *
 * @throws GatewayError `invalid_request` when these are more than one invoice sums up in time, or are removed, `rate_limited` when its turn did not come in time.
 */
export function makeInvoice(database: Database, accountId: string, month: Month, inTurn: InTurn): Promise<Invoice> {
  const read = () => readInvoice(database, accountId, month);
  return month.timezone === undefined ? read() : inTurn(() => read().catch(refuseZone));
}

function refuseZone(error: unknown): never {
  if (error instanceof BookingsRemovedError) throw bookingsRemoved('timezone', error);
  if (!isStatementTimeout(error)) throw error;
  throw invalid('timezone', 'invoice_too_long');
}
