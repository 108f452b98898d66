import { type JsonObject, unixSecondsOrNull } from '@mediagate/contracts';
import {
  type AuditClaim,
  type AuditRunSnapshot,
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  type ViolationRow,
} from '@mediagate/database';

/** A broken invariant: the row at fault (an account, key, task, attempt, delivery or entry), what is and what should be. */
export type Violation = ViolationRow;

/** Every broken invariant of the whole books, at one moment; an empty list is a clean audit. At most 100 rows of each are listed. */
export function audit(database: Database): Promise<Violation[]> {
  return database.auditBooks();
}

/** An audit that was made, or is to be. */
export interface AuditRun {
  id: bigint;
  /** Null: it was made by the clock. */
  requestedAt: Date | null;
  /** `operator:<id of the token>` or `cli:<user>`; null: by the clock, or by a release that did not write it. */
  requestedBy: string | null;
  startedAt: Date | null;
  /** Null: it has not ended. */
  endedAt: Date | null;
  violations: readonly Violation[];
  /** The run looked at the whole books; false: at the entries booked since they were sealed, and at every sum. */
  whole: boolean;
}

type AuditRow = Awaited<ReturnType<Database['auditRun']['findMany']>>[number];

/** Has the reconciler audit the books now. A run that waits, or is under way, is not asked for again: `before` is that run. */
export function requestAudit(database: Database, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, async () => {
    const rows = await database.requestAudit(request);
    // No row: another request of the same moment made the run, and the second statement finds it.
    return rows.length > 0 ? rows : await database.requestAudit(request);
  });
}

/** A run as it stood when it was asked for. */
export function auditRunOf({ id, requestedAt, requestedBy, startedAt }: AuditRunSnapshot): AuditRun {
  return {
    id: BigInt(id),
    requestedAt: requestedAt === null ? null : new Date(requestedAt),
    requestedBy,
    startedAt: startedAt === null ? null : new Date(startedAt),
    endedAt: null,
    violations: [],
    whole: true,
  };
}

/** Audits the whole books and keeps the result. */
export async function auditNow(database: Database, requestedBy: string): Promise<Violation[]> {
  const [claim] = await database.beginAudit(requestedBy);
  return claim ? auditAs(database, claim) : [];
}

/** Makes the oldest run that was asked for; undefined: there is none. */
export async function auditOnRequest(database: Database): Promise<Violation[] | undefined> {
  const [claim] = await database.claimAudit();
  return claim && (await auditAs(database, claim));
}

async function auditAs(database: Database, claim: AuditClaim): Promise<Violation[]> {
  return keepResult(database, claim, async () => ({ violations: await audit(database), whole: true }));
}

export interface AuditResult {
  violations: Violation[];
  /** The audit looked at the whole books. */
  whole: boolean;
}

/** Makes an audit under a claim. One that fails is forgotten, or begun again by another process. */
export async function keepResult(
  database: Database,
  claim: AuditClaim,
  look: () => Promise<AuditResult>,
): Promise<Violation[]> {
  try {
    const { violations, whole } = await look();
    await database.endAudit(claim, { violations: violations as (Violation & JsonObject)[], whole });
    return violations;
  } catch (error) {
    await database.dropAudit(claim);
    throw error;
  }
}

/** The newest first. */
export async function listAudits(
  database: Database,
  { before, limit }: { before: bigint | undefined; limit: number },
): Promise<AuditRun[]> {
  const rows = await database.auditRun.findMany({
    ...(before === undefined ? {} : { where: { id: { lt: before } } }),
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map(auditRunFrom);
}

export function auditRunFrom({ violations, claim: _, ...run }: AuditRow): AuditRun {
  return { ...run, violations: violations as unknown as Violation[] };
}

export function describeAudit(run: AuditRun): JsonObject {
  const { id, requestedAt, requestedBy, startedAt, endedAt, whole, violations } = run;
  return {
    id: `audit_${id}`,
    state: endedAt ? 'ended' : startedAt ? 'running' : 'waiting',
    requested_at: unixSecondsOrNull(requestedAt),
    requested_by: requestedBy,
    started_at: unixSecondsOrNull(startedAt),
    ended_at: unixSecondsOrNull(endedAt),
    whole,
    clean: endedAt ? violations.length === 0 : null,
    violations: violations.map(({ invariant, subject, detail }) => ({ invariant, subject, detail })),
  };
}
