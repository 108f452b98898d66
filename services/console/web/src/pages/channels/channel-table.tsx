import { Button, Menu } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import { useLocation } from 'react-router';
import { useAllowed } from '../../api/roles.ts';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Cost, Margin } from '../../parts/cost.tsx';
import { Money } from '../../parts/money.tsx';
import { Table } from '../../parts/table.tsx';
import classes from './channel-table.module.css';
import { type Channel, STEERINGS, type Steering } from './queries.ts';
import { say } from './texts.ts';

type Choose = (action: Steering | 'details', id: string) => void;

interface ChannelTableProps {
  caption: string;
  channels: readonly Channel[];
  onChoose: Choose;
}

export function ChannelTable({ caption, channels, onChoose }: ChannelTableProps) {
  return (
    <Table caption={caption}>
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
          <th data-align="end">{say('margin')}</th>
          <th aria-label={say('steer')} />
        </tr>
      </thead>
      <tbody>
        {channels.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} onChoose={onChoose} />
        ))}
      </tbody>
    </Table>
  );
}

/** One that a link named comes into view. */
function ChannelRow({ channel, onChoose }: { channel: Channel; onChoose: Choose }) {
  const { hash } = useLocation();
  const { id, protocol, open_jobs, recent } = channel;
  const isNamed = hash === `#${id}`;
  return (
    <tr className={classes.channel} data-named={isNamed} ref={isNamed ? bringIntoView : undefined}>
      <td>
        {id} <span className="quiet">{protocol}</span>
      </td>
      <td>
        <ChannelState channel={channel} />
      </td>
      <td data-align="end" className="number">
        {open_jobs}
      </td>
      <td data-align="end" className="number">
        {recent.attempts}
      </td>
      <td data-align="end" className="number">
        {recent.refused + recent.unknown}
      </td>
      <td data-align="end" className="number">
        {recent.p95_ms === null ? '–' : `${(recent.p95_ms / 1000).toFixed(1)} s`}
      </td>
      <td data-align="end">
        <Cost known={recent.spend} unknown={recent.cost_unknown} />
      </td>
      <td data-align="end">
        <Money amount={recent.charged} />
      </td>
      <td data-align="end">
        <Margin amount={recent.margin} />
      </td>
      <td data-align="end">
        <Actions id={id} onChoose={onChoose} />
      </td>
    </tr>
  );
}

function Actions({ id, onChoose }: { id: string; onChoose: Choose }) {
  const steers = useAllowed('admin');
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" aria-label={say('steer.one', { id })}>
          <Settings2 size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('details', id)}>{say('details')}</Menu.Item>
        {steers &&
          STEERINGS.map((steering) => (
            <Menu.Item key={steering} onClick={() => onChoose(steering, id)}>
              {say(steering)}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function bringIntoView(row: HTMLTableRowElement | null): void {
  row?.scrollIntoView({ block: 'center' });
}
