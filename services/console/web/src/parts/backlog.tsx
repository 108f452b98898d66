import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Queues, queuesQuery } from '../api/queues.ts';
import { say } from '../frame/texts.ts';
import { currentLanguage } from '../texts/languages.ts';
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

function Families({ queues, pathOfFamily, pathOfCallbacks }: BacklogProps & { queues: Queues }) {
  const { families, callbacks, recent_seconds } = queues;
  const minutes = recent_seconds / MINUTE_SECONDS;
  return (
    <Table caption={say('backlog.title')}>
      <thead>
        <tr>
          <th>{say('backlog.family')}</th>
          <th data-align="end">{say('backlog.waiting')}</th>
          <th data-align="end">{say('backlog.oldest')}</th>
          <th data-align="end" data-wide>
            {say('backlog.running')}
          </th>
          <th data-align="end" data-wide>
            {say('backlog.awaiting')}
          </th>
          <th data-align="end" data-wide>
            {say('backlog.in')}
          </th>
          <th data-align="end" data-wide>
            {say('backlog.out')}
          </th>
          <th data-align="end">{say('backlog.workers')}</th>
        </tr>
      </thead>
      <tbody>
        {families.map((family) => (
          <FamilyRow key={family.family} of={family} path={pathOfFamily(family)} minutes={minutes} />
        ))}
        <tr>
          <td>
            <Link to={pathOfCallbacks}>{say('backlog.callbacks')}</Link>
          </td>
          <Count value={callbacks.due} />
          <Age seconds={callbacks.oldest_seconds} />
          <Count value={callbacks.jobs?.active ?? null} wideOnly />
          <Count value={null} wideOnly />
          <Count value={null} wideOnly />
          <Count value={null} wideOnly />
          <Workers hasQueue jobs={callbacks.jobs} waits={callbacks.due > 0} />
        </tr>
      </tbody>
    </Table>
  );
}

function FamilyRow({ of, path, minutes }: { of: Family; path: string | undefined; minutes: number }) {
  const { family, has_queue, waiting, running, awaiting_slot, oldest_seconds, submitted, ended, jobs } = of;
  return (
    <tr>
      <td>{path === undefined ? family : <Link to={path}>{family}</Link>}</td>
      <Count value={waiting} />
      <Age seconds={oldest_seconds} />
      <Count value={running} wideOnly />
      <Count value={awaiting_slot} wideOnly />
      <Rate amount={submitted / minutes} />
      <Rate amount={ended / minutes} />
      <Workers hasQueue={has_queue} jobs={jobs} waits={waiting > 0} />
    </tr>
  );
}

export function Count({ value, wideOnly = false }: { value: number | null; wideOnly?: boolean }) {
  return (
    <td data-align="end" className="number" {...(wideOnly && { 'data-wide': true })}>
      {value === null ? '–' : value.toLocaleString(currentLanguage())}
    </td>
  );
}

function Age({ seconds }: { seconds: number | null }) {
  const text = seconds === null ? '–' : durationText(seconds);
  return (
    <td data-align="end" className="number">
      {seconds !== null && seconds > SLOW_SECONDS ? <Status tone="warning" text={text} /> : text}
    </td>
  );
}

/** A number of tasks per minute. */
function Rate({ amount }: { amount: number }) {
  const text = amount.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 });
  return (
    <td data-align="end" data-wide className="number">
      {text}
    </td>
  );
}

/** The number of workers; to have none is bad only where something waits. */
function Workers({ hasQueue, jobs, waits }: { hasQueue: boolean; jobs: Jobs; waits: boolean }) {
  return (
    <td data-align="end" className="number">
      {workersText({ hasQueue, jobs, waits })}
    </td>
  );
}

function workersText({ hasQueue, jobs, waits }: { hasQueue: boolean; jobs: Jobs; waits: boolean }) {
  if (!hasQueue) return <span className="quiet">{say('backlog.workers.api')}</span>;
  if (jobs === null) return '–';
  if (jobs.paused) return <Status tone="warning" text={say('backlog.paused')} />;
  if (jobs.workers === 0) return <Status tone={waits ? 'bad' : 'warning'} text={say('backlog.workers.none')} />;
  return jobs.workers ?? '–';
}
