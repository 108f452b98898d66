import type { JsonObject } from '@mediagate/contracts';
import type { describeQueues } from '@mediagate/tasks';
import type { Command } from 'commander';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';
import { textTable } from '../text-table';

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'show of each family, and of callbacks, what waits, what runs, how old it is, and who works on it',
    calls: 'adminListQueues',
    shows: queuesText,
  },
};

export function addQueueCommands(program: Command, session: Session): void {
  addRouted(program.command('queue').description('what waits and what runs'), session, COMMANDS);
}

type Queues = ReturnType<typeof describeQueues>;

function queuesText(answer: JsonObject): string {
  const { families, callbacks, recent_seconds: seconds } = answer as unknown as Queues;
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
