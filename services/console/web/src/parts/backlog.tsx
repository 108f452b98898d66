import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Queues, queuesQuery } from '../api/queues.ts';
import { say } from '../frame/texts.ts';
import { countText } from './count-text.ts';
import { durationText } from './duration.ts';
import { Failure } from './failure.tsx';
import { Panel } from './panel.tsx';
import { Status } from './status.tsx';
import { Table, TableSkeleton } from './table.tsx';

type Family = Queues['families'][number];
type Jobs = Family['jobs'];

/** Older than this, what waits is slow. */
const SLOW_SECONDS = 60;
const MINUTE_SECONDS = 60;

interface BacklogProps {
  /** The path that a family's name leads to; undefined: none. */
  pathOfFamily(family: Family): string | undefined;
  pathOfCallbacks: string;
  /** The content beside the title. */
  aside?: ReactNode;
}

/** The work that waits in each family and for how long, how fast it goes, and how many workers there are. */
export function Backlog({ aside, ...paths }: BacklogProps) {
  const { data, error, refetch } = useQuery(queuesQuery);
  return (
    <Panel title={say('backlog.title')} aside={aside} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={6} />}
      {data !== undefined && <Families queues={data} {...paths} />}
    </Panel>
  );
}

interface BacklogRow {
  name: string;
  path: string | undefined;
  waiting: number;
  oldest: number | null;
  running: number | null;
  awaiting: number | null;
  /** Tasks per minute. */
  in: number | null;
  out: number | null;
  workers: ReactNode;
}

function Families({ queues, ...paths }: BacklogProps & { queues: Queues }) {
  return (
    <Table
      caption={say('backlog.title')}
      rows={rowsOf(queues, paths)}
      rowId={({ name }) => name}
      columns={[
        { header: say('backlog.family'), cell: ({ name, path }) => (path ? <Link to={path}>{name}</Link> : name) },
        { header: say('backlog.waiting'), align: 'end', cell: ({ waiting }) => countText(waiting) },
        { header: say('backlog.oldest'), align: 'end', cell: ({ oldest }) => ageText(oldest) },
        { header: say('backlog.running'), align: 'end', wideOnly: true, cell: ({ running }) => countText(running) },
        { header: say('backlog.awaiting'), align: 'end', wideOnly: true, cell: (row) => countText(row.awaiting) },
        { header: say('backlog.in'), align: 'end', wideOnly: true, cell: (row) => countText(row.in) },
        { header: say('backlog.out'), align: 'end', wideOnly: true, cell: ({ out }) => countText(out) },
        { header: say('backlog.workers'), align: 'end', cell: ({ workers }) => workers },
      ]}
    />
  );
}

function rowsOf({ families, callbacks, recent_seconds }: Queues, paths: BacklogProps): BacklogRow[] {
  const minutes = recent_seconds / MINUTE_SECONDS;
  const rows = families.map((of) => ({
    name: of.family,
    path: paths.pathOfFamily(of),
    waiting: of.waiting,
    oldest: of.oldest_seconds,
    running: of.running,
    awaiting: of.awaiting_slot,
    in: of.submitted / minutes,
    out: of.ended / minutes,
    workers: workersText({ hasQueue: of.has_queue, jobs: of.jobs, waits: of.waiting > 0 }),
  }));
  const { due, oldest_seconds, jobs } = callbacks;
  const workers = workersText({ hasQueue: true, jobs, waits: due > 0 });
  const counts = { waiting: due, oldest: oldest_seconds, running: jobs?.active ?? null };
  const path = paths.pathOfCallbacks;
  return [...rows, { name: say('backlog.callbacks'), path, ...counts, awaiting: null, in: null, out: null, workers }];
}

function ageText(seconds: number | null): ReactNode {
  if (seconds === null) return '–';
  const text = durationText(seconds);
  return seconds > SLOW_SECONDS ? <Status tone="warning" text={text} /> : text;
}

/** The number of workers; to have none is bad only where something waits. */
function workersText({ hasQueue, jobs, waits }: { hasQueue: boolean; jobs: Jobs; waits: boolean }) {
  if (!hasQueue) return <span className="quiet">{say('backlog.workers.api')}</span>;
  if (jobs === null) return '–';
  if (jobs.paused) return <Status tone="warning" text={say('backlog.paused')} />;
  if (jobs.workers === 0) return <Status tone={waits ? 'bad' : 'warning'} text={say('backlog.workers.none')} />;
  return jobs.workers ?? '–';
}
