import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { currentLanguage } from '../../texts/languages.ts';
import { type Queues, queuesQuery } from './queries.ts';
import { say } from './texts.ts';

type Family = Queues['families'][number];
type Jobs = Family['jobs'];

/** Older than this, what waits is slow. */
const SLOW_SECONDS = 60;
const MINUTE_SECONDS = 60;

/** What waits for each family and how long already, how fast it goes, and who works on it. */
export function Backlog() {
  const { data, error, refetch } = useQuery(queuesQuery);
  return (
    <Panel title={say('backlog')} aside={<Link to="/queues">{say('queues')}</Link>} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={6} />}
      {data !== undefined && <Families queues={data} />}
    </Panel>
  );
}

function Families({ queues: { families, callbacks, recent_seconds } }: { queues: Queues }) {
  const minutes = recent_seconds / MINUTE_SECONDS;
  return (
    <Table caption={say('backlog')}>
      <thead>
        <tr>
          <th>{say('family')}</th>
          <th data-align="end">{say('waiting')}</th>
          <th data-align="end">{say('oldest')}</th>
          <th data-align="end">{say('running')}</th>
          <th data-align="end">{say('in')}</th>
          <th data-align="end">{say('out')}</th>
          <th data-align="end">{say('workers')}</th>
        </tr>
      </thead>
      <tbody>
        {families.map(({ family, has_queue, waiting, running, oldest_seconds, submitted, ended, jobs }) => (
          <tr key={family}>
            <td>
              <Link to={`/tasks?family=${family}`}>{family}</Link>
            </td>
            <Count value={waiting} />
            <Age seconds={oldest_seconds} />
            <Count value={running} />
            <Rate amount={submitted / minutes} />
            <Rate amount={ended / minutes} />
            <Workers hasQueue={has_queue} jobs={jobs} waits={waiting > 0} />
          </tr>
        ))}
        <tr>
          <td>
            <Link to="/deliveries?state=pending">{say('callbacks')}</Link>
          </td>
          <Count value={callbacks.due} />
          <Age seconds={callbacks.oldest_seconds} />
          <Count value={callbacks.jobs?.active ?? null} />
          <Count value={null} />
          <Count value={null} />
          <Workers hasQueue jobs={callbacks.jobs} waits={callbacks.due > 0} />
        </tr>
      </tbody>
    </Table>
  );
}

function Count({ value }: { value: number | null }) {
  return (
    <td data-align="end" className="number">
      {value === null ? '–' : value.toLocaleString(currentLanguage())}
    </td>
  );
}

function Age({ seconds }: { seconds: number | null }) {
  const text = seconds === null ? '–' : ageText(seconds);
  return (
    <td data-align="end" className="number">
      {seconds !== null && seconds > SLOW_SECONDS ? <Status tone="warning" text={text} /> : text}
    </td>
  );
}

/** A minute. */
function Rate({ amount }: { amount: number }) {
  const text = amount.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 });
  return (
    <td data-align="end" className="number">
      {text}
    </td>
  );
}

/** None at all is bad only where something waits. */
function Workers({ hasQueue, jobs, waits }: { hasQueue: boolean; jobs: Jobs; waits: boolean }) {
  return (
    <td data-align="end" className="number">
      {workersText({ hasQueue, jobs, waits })}
    </td>
  );
}

function workersText({ hasQueue, jobs, waits }: { hasQueue: boolean; jobs: Jobs; waits: boolean }) {
  if (!hasQueue) return <span className="quiet">{say('workers.api')}</span>;
  if (jobs === null) return '–';
  if (jobs.paused) return <Status tone="warning" text={say('paused')} />;
  if (jobs.workers === 0) return <Status tone={waits ? 'bad' : 'warning'} text={say('workers.none')} />;
  return jobs.workers ?? '–';
}

function ageText(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return `${Math.round(seconds)} s`;
  const minutes = seconds / MINUTE_SECONDS;
  return minutes < MINUTE_SECONDS ? `${Math.round(minutes)} min` : `${(minutes / MINUTE_SECONDS).toFixed(1)} h`;
}
