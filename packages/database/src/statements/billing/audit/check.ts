import { CLOCKS_MS } from '../whole-days';

/** A rule of the books: the rows that break it, each as subject (a task's, account's, key's, delivery's or entry's id) and detail. */
export interface Check {
  invariant: string;
  text: string;
}

/** Of each check; who finds more has one fault many times over. */
export const MAX_VIOLATIONS_EACH = 100;

/**
 * The clock of the process that made a task's id is so far behind that days may have been summed up without the task (`sumDays`), and that it
 * stands at the wrong place of every list.
 */
export function madeTooEarly(taskId: string, bookedAt: string): string {
  return `${taskId} < 'task_' || first_id_at(${bookedAt} - interval '${CLOCKS_MS / 1000} seconds')`;
}

export interface ViolationRow {
  invariant: string;
  subject: string;
  detail: string;
}

/** The parts of ONE statement, which so sees one snapshot, consistent while traffic flows. At most 100 rows of each check. */
export function joined(checks: readonly Check[]): string {
  return checks
    .map(
      ({ invariant, text }) =>
        `(select '${invariant}' as invariant, c.subject::text, c.detail::text
          from (${text}) as c(subject, detail) limit ${MAX_VIOLATIONS_EACH})`,
    )
    .join('\nunion all\n');
}
