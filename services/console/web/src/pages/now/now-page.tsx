import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { say } from './texts.ts';
import { Troubles } from './troubles.tsx';

interface Process {
  name: string;
  state: 'ready' | 'not_ready' | 'down' | string;
  reason: string | null;
  up_seconds: number | null;
  work: { label: string; value: number | null; alarming: boolean }[];
}

const REFRESH_MS = 10_000;
const HOUR_SECONDS = 3600;

/** What needs me now? */
export default function NowPage() {
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className="stack">
        <Troubles />
        <Processes />
      </div>
    </>
  );
}

function Processes() {
  const { data, error, refetch } = useQuery({
    queryKey: ['processes'],
    queryFn: async () => (await request<{ data: Process[] }>('/processes')).data,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title={say('processes')} aside={<a href="/queues">{say('queues')}</a>} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={6} />}
      {data?.length === 0 && (
        <Empty icon={CircleCheck} title={say('processes.none')}>
          <Link to="/channels">{say('channels')}</Link>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <Table caption={say('processes')}>
          <thead>
            <tr>
              <th>{say('process')}</th>
              <th>{say('state')}</th>
              <th data-align="end">{say('up')}</th>
              <th>{say('work')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, state, reason, up_seconds, work }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>
                  <Status tone={state === 'ready' ? 'good' : 'bad'} text={state === 'ready' ? say('ready') : state} />{' '}
                  <span className="quiet">{reason}</span>
                </td>
                <td data-align="end" className="number">
                  {up_seconds === null ? '–' : `${(up_seconds / HOUR_SECONDS).toFixed(1)} h`}
                </td>
                <td className="quiet">{work.map(({ label, value }) => `${label} ${value ?? '–'}`).join(' · ')}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
