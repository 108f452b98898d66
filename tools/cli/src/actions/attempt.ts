import type { Nano } from '@mediagate/contracts';
import type { Resolution } from '@mediagate/database';
import { describeQuarantined, listQuarantined, readResolution } from '@mediagate/tasks';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

export interface ListOptions {
  all?: true;
  test?: true;
  before?: string;
  limit: number;
}

export async function list(session: Session, { all, test, before, limit }: ListOptions): Promise<Answer> {
  const database = await session.openDatabase();
  const { rows, next } = await listQuarantined(database, {
    open: all === undefined,
    isTest: test === true,
    before,
    limit,
  });
  if (next !== undefined) session.warn(`there are older ones: --before ${next} goes on`);
  const described = rows.map(describeQuarantined);
  return { json: { attempts: described, next: next ?? null }, text: toText(described) };
}

function toText(attempts: readonly ReturnType<typeof describeQuarantined>[]): string {
  return textTable(
    ['ATTEMPT', 'TASK', 'MODEL', 'CHANNEL', 'UPSTREAM ID', 'ENDED', 'REFUNDED', 'RESOLVED', 'DETAIL'],
    attempts.map((attempt) => [
      attempt.id,
      attempt.task_id,
      attempt.model,
      attempt.channel,
      attempt.external_id ?? '',
      timeText(attempt.ended_at),
      String(attempt.refunded),
      attempt.resolution ?? '',
      attempt.detail ?? '',
    ]),
  );
}

export async function resolve(
  session: Session,
  id: string,
  { resolution, cost: costNano, reason }: { resolution: Resolution; cost?: Nano; reason?: string },
): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await database.resolveAttempt(id, { resolution, costNano }, changeBy(session, reason));
  await requireChanged(outcome, async () => {
    const before = await readResolution(database, id);
    if (before === undefined) return `there is no attempt ${id}`;
    if (before === null) return `the outcome of attempt ${id} is known, or its task has not ended: nothing was changed`;
    return `attempt ${id} was resolved as ${before.replace('_', ' ')} before: nothing was changed`;
  });
  return { json: { id, resolution }, text: `attempt ${id} is written down as ${resolution.replace('_', ' ')}` };
}
