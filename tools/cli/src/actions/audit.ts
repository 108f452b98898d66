import { auditNow, INVARIANTS, type Violation } from '@mediagate/billing';
import { exactSeconds, exactSecondsOrNull, WORKER_FAMILIES } from '@mediagate/contracts';
import { type Database, type DueBacklog, MAX_COUNTED_DUE } from '@mediagate/database';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

/** Shorter waits are those of every busy queue. */
const LONG_WAIT_SECONDS = 60;

/** A backlog breaks no invariant, so it is shown beside the answer and never makes it faulty. */
export async function check(session: Session): Promise<Answer> {
  const database = await session.openDatabase();
  const violations = await auditNow(database, session.actor);
  const failOvers = await readFailOvers(database);
  const dueTasks = await database.readDueBacklogs(WORKER_FAMILIES);
  const clean = violations.length === 0;
  return {
    json: {
      clean,
      invariants: INVARIANTS.length,
      violations,
      due_tasks: dueTasks.map(describeBacklog),
      fail_overs: failOvers,
    },
    text: [auditText(violations), ...lateLines(dueTasks), ...failOvers.map(failOverLine)].join('\n'),
    faulty: !clean,
  };
}

/** The newest ones. */
const FAIL_OVERS = 5;

interface FailOver {
  epoch: number;
  cause: string;
  /** In seconds since 1970. */
  at: number;
  /** Commits of the lost primary after this time that it did not replicate are in no row here; null: nobody knows the time. */
  known_until: number | null;
}

/** Commits that a standby did not know when it was promoted are in no row, so that no invariant shows them. */
async function readFailOvers(database: Pick<Database, 'fenceEpoch'>): Promise<FailOver[]> {
  const order = { epoch: 'desc' } as const;
  const rows = await database.fenceEpoch.findMany({ where: { epoch: { gt: 0 } }, orderBy: order, take: FAIL_OVERS });
  return rows.map(({ epoch, cause, beganAt, knownUntil }) => ({
    epoch,
    cause,
    at: exactSeconds(beganAt),
    known_until: exactSecondsOrNull(knownUntil),
  }));
}

function failOverLine({ cause, at, known_until }: FailOver): string {
  const until = known_until === null ? '' : `, which knows the lost one up to ${timeText(known_until)}`;
  return `database ${cause} at ${timeText(at)}${until}`;
}

function describeBacklog({ family, tasks, oldestSeconds }: DueBacklog) {
  return { family, tasks, oldest_seconds: oldestSeconds };
}

export function auditText(violations: Violation[]): string {
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
