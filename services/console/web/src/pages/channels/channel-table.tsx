import { Button, Menu } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAllowed } from '../../api/roles.ts';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Cost, Margin } from '../../parts/cost.tsx';
import { millisecondsText } from '../../parts/duration.ts';
import { Money } from '../../parts/money.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, Table } from '../../parts/table.tsx';
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
    <Table
      caption={caption}
      rows={channels}
      rowId={({ id }) => id}
      columns={[
        { header: say('channel'), className: classes.channel, cell: (channel) => <Names channel={channel} /> },
        { header: say('state'), className: classes.state, cell: (channel) => <ChannelState channel={channel} /> },
        { header: say('open'), align: 'end', wideOnly: true, cell: (channel) => <OpenJobs channel={channel} /> },
        { ...figure('attempts', ({ attempts }) => attempts), wideOnly: true },
        figure('refused', ({ refused, unknown }) => refused + unknown),
        { ...figure('p95', ({ p95_ms: p95 }) => (p95 === null ? '–' : millisecondsText(p95))), wideOnly: true },
        {
          ...figure('spend', ({ spend, cost_unknown }) => <Cost known={spend} unknown={cost_unknown} />),
          wideOnly: true,
        },
        { ...figure('charged', ({ charged }) => <Money amount={charged} />), wideOnly: true },
        { ...figure('margin', ({ margin }) => <Margin amount={margin} />), wideOnly: true },
        {
          header: say('steer'),
          headerHidden: true,
          align: 'end',
          cell: ({ id }) => <Actions id={id} onChoose={onChoose} />,
        },
      ]}
    />
  );
}

/** A channel that nothing was asked of has no figures: no attempts are not the same as no failures. */
function figure(
  name: 'attempts' | 'refused' | 'p95' | 'spend' | 'charged' | 'margin',
  of: (recent: Channel['recent']) => ReactNode,
): Column<Channel> {
  return { header: say(name), align: 'end', cell: ({ recent }) => (recent.attempts === 0 ? '–' : of(recent)) };
}

function Names({ channel }: { channel: Channel }) {
  const { id, protocol } = channel;
  return (
    <span className={classes.names}>
      <Link to={`/channels/${encodeURIComponent(id)}`}>{id}</Link>
      <span className="quiet">{protocol}</span>
      <Ending channel={channel} />
    </span>
  );
}

function OpenJobs({ channel }: { channel: Channel }) {
  const { open_jobs: open, max_concurrency: most } = channel;
  const text = most === null ? String(open) : `${open} / ${most}`;
  return isFull(channel) ? <Status tone="warning" text={text} /> : text;
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
