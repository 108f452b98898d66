import { describeQueues, listQueues } from '@mediagate/tasks';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

type Queues = ReturnType<typeof describeQueues>;

export async function list(session: Session): Promise<Answer> {
  const database = await session.openDatabase();
  const json = describeQueues(await listQueues(database, () => session.countJobs()));
  return { json, text: toText(json) };
}

function toText({ families, callbacks, recent_seconds: seconds }: Queues): string {
  const since = `IN ${Math.round(seconds)} S`;
  return textTable(
    ['QUEUE', 'WAITING', 'RUNNING', 'OLDEST S', `NEW ${since}`, `ENDED ${since}`, 'JOBS WAITING', 'ACTIVE', 'WORKERS'],
    [
      ...families.map(({ family, waiting, running, oldest_seconds: oldest, submitted, ended, jobs }) => [
        family,
        ...[waiting, running, oldest ?? '', submitted, ended].map(String),
        ...jobCells(jobs),
      ]),
      [
        'callbacks',
        String(callbacks.due),
        String(callbacks.pending - callbacks.due),
        String(callbacks.oldest_seconds ?? ''),
        '',
        '',
        ...jobCells(callbacks.jobs),
      ],
    ],
  );
}

function jobCells(jobs: Queues['callbacks']['jobs']): string[] {
  if (jobs === null) return [];
  const { waiting, active, paused, workers } = jobs;
  return [paused ? `${waiting}, paused` : String(waiting), String(active), String(workers ?? 'not known')];
}
