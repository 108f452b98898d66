import { auditNow, INVARIANTS, type Violation } from '@mediagate/billing';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { type DueBacklog, MAX_COUNTED_DUE } from '@mediagate/database';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** Shorter waits are those of every busy queue. */
const LONG_WAIT_SECONDS = 60;

/** A backlog breaks no invariant, so it is shown beside the answer and never makes it faulty. */
export async function check(session: Session): Promise<Answer> {
  const database = await session.openDatabase();
  const violations = await auditNow(database, session.actor);
  const dueTasks = await database.readDueBacklogs(WORKER_FAMILIES);
  const clean = violations.length === 0;
  return {
    json: { clean, invariants: INVARIANTS.length, violations, due_tasks: dueTasks.map(describeBacklog) },
    text: [booksText(violations), ...lateLines(dueTasks)].join('\n'),
    faulty: !clean,
  };
}

function describeBacklog({ family, tasks, oldestSeconds }: DueBacklog) {
  return { family, tasks, oldest_seconds: oldestSeconds };
}

function booksText(violations: Violation[]): string {
  if (violations.length === 0) return `clean: ${INVARIANTS.length} invariants hold`;
  const rows = violations.map(({ invariant, subject, detail }) => [invariant, subject, detail]);
  return textTable(['INVARIANT', 'SUBJECT', 'DETAIL'], rows);
}

function lateLines(backlogs: DueBacklog[]): string[] {
  return backlogs
    .filter(({ oldestSeconds }) => oldestSeconds > LONG_WAIT_SECONDS)
    .map(({ family, tasks, oldestSeconds }) => {
      const age = `${Math.floor(oldestSeconds)} s`;
      const orMore = tasks >= MAX_COUNTED_DUE ? ' or more' : '';
      return `oldest due task: ${family}, ${age}; due and not taken: ${tasks}${orMore}`;
    });
}
