import { ActionIcon } from '@mantine/core';
import { Ban, Pencil } from 'lucide-react';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Status } from '../../parts/status.tsx';
import classes from './columns.module.css';
import type { ApiKey } from './queries.ts';
import { say } from './texts.ts';

type Choose = (kind: 'change' | 'revoke', key: ApiKey) => void;

export function keyColumns(onChoose: Choose): readonly Column<ApiKey>[] {
  return [
    {
      id: 'key',
      header: say('column.key'),
      width: 'minmax(0, 2fr)',
      cell: ({ name, id, last_four }) => (
        <span className={classes.names}>
          <span>{name || id}</span>
          <code className="quiet">
            {id} …{last_four}
          </code>
        </span>
      ),
    },
    { id: 'state', header: say('column.state'), width: '104px', cell: stateOf },
    {
      id: 'uses',
      header: say('column.uses'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ families, models }) => (
        <span className="quiet">{[...families, ...models].join(', ') || say('all')}</span>
      ),
    },
    {
      id: 'quota',
      header: say('column.quota'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ quota }) => (quota === null ? '–' : <Money amount={quota} />),
    },
    {
      id: 'expires',
      header: say('column.expires'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ expires_at: at }) => (at === null ? '–' : <Moment at={at} />),
    },
    {
      id: 'used',
      header: say('column.used'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ last_used_at: at }) => (at === null ? '–' : <Moment at={at} />),
    },
    {
      id: 'actions',
      header: '',
      width: '64px',
      align: 'end',
      cell: (key) => key.revoked_at === null && <Actions apiKey={key} onChoose={onChoose} />,
    },
  ];
}

function stateOf({ revoked_at, expires_at, mode }: ApiKey) {
  if (revoked_at !== null) return <Status tone="bad" text={say('state.revoked')} />;
  if (expires_at !== null && expires_at * 1000 < Date.now())
    return <Status tone="warning" text={say('state.expired')} />;
  return mode === 'test' ? (
    <Status tone="busy" text={say('mode.test')} />
  ) : (
    <Status tone="good" text={say('mode.live')} />
  );
}

function Actions({ apiKey, onChoose }: { apiKey: ApiKey; onChoose: Choose }) {
  const name = apiKey.name || apiKey.id;
  return (
    <span className={classes.actions}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={say('change.one', { name })}
        onClick={() => onChoose('change', apiKey)}
      >
        <Pencil size={14} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={say('revoke.one', { name })}
        onClick={() => onChoose('revoke', apiKey)}
      >
        <Ban size={14} />
      </ActionIcon>
    </span>
  );
}
