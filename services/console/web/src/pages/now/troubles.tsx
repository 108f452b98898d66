import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { ask } from '../../api/gateway.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { channelsQuery } from '../channels/queries.ts';
import { say } from './texts.ts';

const REFRESH_MS = 15_000;

/** Channels that fail or are closed, and attempts of which nobody knows the outcome. */
export function Troubles() {
  const channels = useQuery(channelsQuery);
  const quarantine = useQuery({
    queryKey: ['quarantine'],
    queryFn: async () => (await ask<{ data: { id: string }[] }>('/admin/v1/attempts', { query: { limit: 100 } })).data,
    refetchInterval: REFRESH_MS,
  });
  const error = channels.error ?? quarantine.error;
  const sick = channels.data?.filter(({ state, breaker }) => state !== 'enabled' || breaker.open_in > 0) ?? [];
  const unknown = quarantine.data?.length ?? 0;
  if (error) return <Failure error={error} retry={() => Promise.all([channels.refetch(), quarantine.refetch()])} />;
  return (
    <Panel title={say('troubles')}>
      {sick.length === 0 && unknown === 0 && <Empty icon={CircleCheck} title={say('troubles.none')} />}
      {unknown > 0 && <Status tone="warning" text={say('unknown', { count: unknown })} />}
      {sick.map(({ id, state, recent }) => (
        <p key={id} className="row">
          <Link to="/channels">{id}</Link>
          <Status tone="bad" text={state === 'enabled' ? say('failing') : state} />
          <span className="quiet">
            {say('sick', { failed: recent.refused + recent.unknown, attempts: recent.attempts })}
          </span>
        </p>
      ))}
    </Panel>
  );
}
