import type { JsonObject } from '@mediagate/contracts';
import {
  type AuditClaim,
  type AuditRunSnapshot,
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  INVARIANTS,
} from '@mediagate/database';

export interface Violation {
  invariant: string;
  /** The row at fault: an account, key, task or delivery id. */
  subject: string;
  /** What is, and what should be. */
  detail: string;
}

/** Every broken invariant, at one moment; an empty list is a clean audit. At most 100 rows of each are listed. */
export async function audit(database: Database): Promise<Violation[]> {
  const rows = await database.auditBooks();
  return rows.map(({ check, subject, detail }) => ({ invariant: INVARIANTS[check] as string, subject, detail }));
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
}

/** Has the reconciler audit the books now. A run that waits, or is under way, is not asked for again: `before` is that run. */
export function requestAudit(database: Database, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, async () => {
    const rows = await database.requestAudit(request);
    // Who asks at the same moment finds the other's run.
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
  };
}

/** Audits the books and keeps the result. @param requestedBy null: the clock. */
export async function auditNow(database: Database, requestedBy: string | null): Promise<Violation[]> {
  return auditAs(database, await database.beginAudit(requestedBy));
}

/** Makes the oldest run that was asked for; undefined: there is none. */
export async function auditOnRequest(database: Database): Promise<Violation[] | undefined> {
  const claimed = await database.claimAudit();
  return claimed.length === 0 ? undefined : auditAs(database, claimed);
}

async function auditAs(database: Database, [claim]: AuditClaim[]): Promise<Violation[]> {
  try {
    const found = await audit(database);
    if (claim) await database.endAudit(claim, found as (Violation & JsonObject)[]);
    return found;
  } catch (error) {
    if (claim) await database.dropAudit(claim);
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
  return rows.map(({ violations, claim: _, ...run }) => ({ ...run, violations: violations as unknown as Violation[] }));
}
