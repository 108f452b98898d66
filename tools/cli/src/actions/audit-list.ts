import { type AuditRun, describeAudit, listAudits } from '@mediagate/billing';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** Audits and what they found, the newest first. */
export async function list(
  session: Session,
  { before, limit }: { before?: bigint | undefined; limit: number },
): Promise<Answer> {
  const database = await session.openDatabase();
  // One more tells whether there are more.
  const runs = await listAudits(database, { before, limit: limit + 1 });
  const shown = runs.slice(0, limit);
  const next = runs.length > limit ? shown.at(-1)?.id : undefined;
  if (next !== undefined) session.warn(`there are older ones: --before ${next} goes on`);
  return {
    json: { audits: shown.map(describeAudit), next: next === undefined ? null : String(next) },
    text: [runsTable(shown), violationsTable(shown)].join('\n').trimEnd(),
  };
}

function runsTable(runs: readonly AuditRun[]): string {
  return textTable(
    ['AUDIT', 'STATE', 'ASKED BY', 'OF', 'STARTED', 'ENDED', 'FOUND'],
    runs.map((run) => {
      const { state, clean } = describeAudit(run);
      const found = clean === null ? '' : clean ? 'clean' : `${run.violations.length} violations`;
      const times = [run.startedAt, run.endedAt].map((time) => time?.toISOString() ?? '');
      return [String(run.id), String(state), run.requestedBy ?? 'the clock', scopeOf(run), ...times, found];
    }),
  );
}

function scopeOf({ endedAt, whole }: AuditRun): string {
  if (!endedAt) return '';
  return whole ? 'the whole books' : 'what is new';
}

function violationsTable(runs: readonly AuditRun[]): string {
  const rows = runs.flatMap(({ id, violations }) =>
    violations.map(({ invariant, subject, detail }) => [String(id), invariant, subject, detail]),
  );
  return rows.length === 0 ? '' : `\n${textTable(['AUDIT', 'INVARIANT', 'SUBJECT', 'DETAIL'], rows)}`;
}
