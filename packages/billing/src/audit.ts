import { type Database, INVARIANTS } from '@mediagate/database';

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
