import { Link } from 'react-router';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { currentLanguage } from '../../texts/languages.ts';
import type { Queues } from './queries.ts';
import { say } from './texts.ts';

interface Row {
  name: string;
  /** That Bull Board shows; undefined: there is none. */
  queue: string | undefined;
  waiting: number;
  running: number | undefined;
  oldestSeconds: number | null;
  /** Per minute, of late; undefined: it is not counted. */
  came: number | undefined;
  ended: number | undefined;
  jobs: Queues['callbacks']['jobs'];
}

/** By family, and callbacks: how much waits, how old it is, how fast it goes, and who works at it. */
export function Backlog({ queues }: { queues: Queues }) {
  return (
    <Table caption={say('backlog')}>
      <thead>
        <tr>
          <th scope="col">{say('queue')}</th>
          <th scope="col" data-align="end">
            {say('waiting')}
          </th>
          <th scope="col" data-align="end">
            {say('running')}
          </th>
          <th scope="col" data-align="end">
            {say('oldest')}
          </th>
          <th scope="col" data-align="end">
            {say('came')}
          </th>
          <th scope="col" data-align="end">
            {say('ended')}
          </th>
          <th scope="col">{say('workers')}</th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(queues).map((row) => (
          <tr key={row.name}>
            <td>{row.queue === undefined ? row.name : <Link to={`?queue=${row.queue}`}>{row.name}</Link>}</td>
            <Count value={row.waiting} />
            <Count value={row.running} />
            <td data-align="end" className="number">
              {row.oldestSeconds === null ? '–' : ageText(row.oldestSeconds)}
            </td>
            <Count value={row.came} />
            <Count value={row.ended} />
            <td>
              <Workers row={row} redisAnswers={queues.redis_answers} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Count({ value }: { value: number | undefined }) {
  return (
    <td data-align="end" className="number">
      {value === undefined ? '–' : value.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 })}
    </td>
  );
}

/** A family without a queue is not sick: the API does its work itself. */
function Workers({ row: { queue, jobs }, redisAnswers }: { row: Row; redisAnswers: boolean }) {
  if (queue === undefined) return <span className="quiet">{say('byApi')}</span>;
  if (!redisAnswers || jobs === null) return <Status tone="bad" text={say('redisDown')} />;
  if (jobs.paused) return <Status tone="warning" text={say('paused')} />;
  if (jobs.workers === 0) return <Status tone="bad" text={say('noWorkers')} />;
  return <span className="number">{jobs.workers ?? '–'}</span>;
}

const CALLBACKS = 'deliveries';

function rowsOf({ families, callbacks, recent_seconds }: Queues): Row[] {
  const perMinute = (count: number) => (recent_seconds === 0 ? undefined : (count / recent_seconds) * 60);
  return [
    ...families.map(({ family, has_queue, waiting, running, oldest_seconds, submitted, ended, jobs }) => ({
      name: family,
      queue: has_queue ? family : undefined,
      waiting,
      running,
      oldestSeconds: oldest_seconds,
      came: perMinute(submitted),
      ended: perMinute(ended),
      jobs,
    })),
    {
      name: say('callbacks'),
      queue: CALLBACKS,
      waiting: callbacks.pending,
      running: undefined,
      oldestSeconds: callbacks.oldest_seconds,
      came: undefined,
      ended: undefined,
      jobs: callbacks.jobs,
    },
  ];
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

function ageText(seconds: number): string {
  const unit = seconds < MINUTE_SECONDS ? 'second' : seconds < HOUR_SECONDS ? 'minute' : 'hour';
  const size = { second: 1, minute: MINUTE_SECONDS, hour: HOUR_SECONDS }[unit];
  const options = { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 0 } as const;
  return (seconds / size).toLocaleString(currentLanguage(), options);
}
