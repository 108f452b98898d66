import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Network, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Money } from '../../parts/money.tsx';
import { notifyFailure } from '../../parts/notices.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { ChannelState } from './channel-state.tsx';
import { type Channel, channelsQuery, type Steering, steer } from './queries.ts';
import { say } from './texts.ts';

const STEERINGS: readonly Steering[] = ['drain', 'disable', 'reset'];

/** Which vendor is sick, since when, and what to press. */
export default function ChannelsPage() {
  const { data, error, refetch } = useQuery(channelsQuery);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      {error && <Failure error={error} retry={refetch} />}
      <Panel flush>
        {!error && data === undefined && <TableSkeleton rows={8} />}
        {data?.length === 0 && <Empty icon={Network} title={say('none')} />}
        {data !== undefined && data.length > 0 && <Channels channels={data} />}
      </Panel>
    </>
  );
}

function Channels({ channels }: { channels: readonly Channel[] }) {
  return (
    <Table caption={say('title')}>
      <thead>
        <tr>
          <th>{say('channel')}</th>
          <th>{say('state')}</th>
          <th data-align="end">{say('open')}</th>
          <th data-align="end">{say('attempts')}</th>
          <th data-align="end">{say('refused')}</th>
          <th data-align="end">{say('p95')}</th>
          <th data-align="end">{say('spend')}</th>
          <th data-align="end">{say('charged')}</th>
          <th aria-label={say('steer')} />
        </tr>
      </thead>
      <tbody>
        {channels.map((channel) => (
          <tr key={channel.id}>
            <td>
              {channel.id} <span className="quiet">{channel.protocol}</span>
            </td>
            <td>
              <ChannelState channel={channel} />
            </td>
            <td data-align="end" className="number">
              {channel.open_jobs}
            </td>
            <td data-align="end" className="number">
              {channel.recent.attempts}
            </td>
            <td data-align="end" className="number">
              {channel.recent.refused + channel.recent.unknown}
            </td>
            <td data-align="end" className="number">
              {channel.recent.p95_ms === null ? '–' : `${(channel.recent.p95_ms / 1000).toFixed(1)} s`}
            </td>
            <td data-align="end">
              <Money amount={channel.recent.spend} />
            </td>
            <td data-align="end">
              <Money amount={channel.recent.charged} />
            </td>
            <td data-align="end">
              <Steer channel={channel} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Steer({ channel: { id } }: { channel: Channel }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Steering>('drain');
  const [asks, setAsks] = useState(false);
  const press = useMutation({
    mutationFn: () => steer(id, asked),
    onError: notifyFailure,
    onSettled: () => {
      setAsks(false);
      return queries.invalidateQueries({ queryKey: channelsQuery.queryKey });
    },
  });
  const choose = (steering: Steering) => {
    setAsked(steering);
    setAsks(true);
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="subtle" color="gray" size="compact-xs" aria-label={say('steer.one', { id })}>
            <Settings2 size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STEERINGS.map((steering) => (
            <Menu.Item key={steering} onClick={() => choose(steering)}>
              {say(steering)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asks}
        title={say(`${asked}.title`, { id })}
        text={say(`${asked}.about`)}
        action={say(asked)}
        busy={press.isPending}
        onConfirm={() => press.mutate()}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
