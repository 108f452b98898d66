import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

export interface LoggedAction {
  id: bigint;
  createdAt: Date;
  actor: string;
  action: string;
  subject: string;
  detail: JsonObject;
}

export interface ActionFilter {
  /** Of what was done to it alone. */
  subject: string | undefined;
  /** The id of the last entry of the page before. */
  before: bigint | undefined;
  limit: number;
}

/** What was done, the newest first. */
export async function listActions(
  database: Database,
  { subject, before, limit }: ActionFilter,
): Promise<LoggedAction[]> {
  const rows = await database.auditLogEntry.findMany({
    where: { ...(subject === undefined ? {} : { subject }), ...(before === undefined ? {} : { id: { lt: before } }) },
    omit: { idempotencyKey: true, requestHash: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map(({ detail, ...row }) => ({ ...row, detail: detail as JsonObject }));
}
