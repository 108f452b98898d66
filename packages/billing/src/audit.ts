import type { JsonObject } from '@mediagate/contracts';
import { type ChangeOutcome, type ChangeRequest, changeOnce, type Database, INVARIANTS } from '@mediagate/database';

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
  startedAt: Date | null;
  /** Null: it has not ended. */
  endedAt: Date | null;
  violations: readonly Violation[];
}

/** Has the reconciler audit the books now. */
export function requestAudit(database: Database, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.requestAudit(request));
}

/** Audits the books and keeps the result. */
export async function auditByClock(database: Database): Promise<Violation[]> {
  return auditAs(database, await database.beginAudit());
}

/** Makes the oldest run that was asked for; undefined: there is none. */
export async function auditOnRequest(database: Database): Promise<Violation[] | undefined> {
  const claimed = await database.claimAudit();
  return claimed.length === 0 ? undefined : auditAs(database, claimed);
}

async function auditAs(database: Database, [run]: { id: bigint }[]): Promise<Violation[]> {
  const found = await audit(database);
  if (run) await database.endAudit(run.id, found as (Violation & JsonObject)[]);
  return found;
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
  return rows.map(({ violations, ...run }) => ({ ...run, violations: violations as unknown as Violation[] }));
}
