import { Button, Menu } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import { Link } from 'react-router';
import { useAllowed } from '../../api/roles.ts';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Cost, Margin } from '../../parts/cost.tsx';
import { millisecondsText } from '../../parts/duration.ts';
import { Money } from '../../parts/money.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import classes from './channel-table.module.css';
import { Ending } from './ending.tsx';
import { type Channel, isFull, STEERINGS, type Steering } from './queries.ts';
import { say } from './texts.ts';

export type Action = Steering | 'probe';
type Choose = (action: Action, id: string) => void;

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
          <th className={classes.channel}>{say('channel')}</th>
          <th className={classes.state}>{say('state')}</th>
          <th data-align="end" data-wide>
            {say('open')}
          </th>
          <th data-align="end" data-wide>
            {say('attempts')}
          </th>
          <th data-align="end">{say('refused')}</th>
          <th data-align="end" data-wide>
            {say('p95')}
          </th>
          <th data-align="end" data-wide>
            {say('spend')}
          </th>
          <th data-align="end" data-wide>
            {say('charged')}
          </th>
          <th data-align="end" data-wide>
            {say('margin')}
          </th>
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

function ChannelRow({ channel, onChoose }: { channel: Channel; onChoose: Choose }) {
  const { id, protocol, recent } = channel;
  return (
    <tr>
      <td>
        <span className={classes.names}>
          <Link to={`/channels/${encodeURIComponent(id)}`}>{id}</Link>
          <span className="quiet">{protocol}</span>
          <Ending channel={channel} />
        </span>
      </td>
      <td>
        <ChannelState channel={channel} />
      </td>
      <td data-align="end" data-wide className="number">
        <OpenJobs channel={channel} />
      </td>
      <Figures recent={recent} />
      <td data-align="end">
        <Actions id={id} onChoose={onChoose} />
      </td>
    </tr>
  );
}

function OpenJobs({ channel }: { channel: Channel }) {
  const { open_jobs: open, max_concurrency: most } = channel;
  const text = most === null ? String(open) : `${open} / ${most}`;
  return isFull(channel) ? <Status tone="warning" text={text} /> : text;
}

/** A channel that nothing was asked of has no figures: no attempts are not the same as no failures. */
function Figures({ recent }: { recent: Channel['recent'] }) {
  const { attempts, refused, unknown, p95_ms, spend, cost_unknown, charged, margin } = recent;
  const isIdle = attempts === 0;
  return (
    <>
      <td data-align="end" data-wide className="number">
        {isIdle ? '–' : attempts}
      </td>
      <td data-align="end" className="number">
        {isIdle ? '–' : refused + unknown}
      </td>
      <td data-align="end" data-wide className="number">
        {p95_ms === null ? '–' : millisecondsText(p95_ms)}
      </td>
      <td data-align="end" data-wide>
        {isIdle ? '–' : <Cost known={spend} unknown={cost_unknown} />}
      </td>
      <td data-align="end" data-wide>
        {isIdle ? '–' : <Money amount={charged} />}
      </td>
      <td data-align="end" data-wide>
        {isIdle ? '–' : <Margin amount={margin} />}
      </td>
    </>
  );
}

function Actions({ id, onChoose }: { id: string; onChoose: Choose }) {
  const [supports, steers] = [useAllowed('support'), useAllowed('admin')];
  if (!supports) return null;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" aria-label={say('steer.one', { id })}>
          <Settings2 size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('probe', id)}>{say('probe')}</Menu.Item>
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
