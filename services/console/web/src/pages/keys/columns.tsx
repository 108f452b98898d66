import { ActionIcon } from '@mantine/core';
import { Ban, Pencil } from 'lucide-react';
import type { Column } from '../../parts/data-table.tsx';
import { KeyName, KeyState } from '../../parts/key-name.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import classes from './columns.module.css';
import type { ApiKey } from './queries.ts';
import { say } from './texts.ts';

/** The amounts spent, by the keys' ids; undefined: not known yet. */
type Spent = ReadonlyMap<string | number | null | undefined, number> | undefined;
type Choose = (kind: 'change' | 'revoke', key: ApiKey) => void;

export function keyColumns(spent: Spent, onChoose: Choose): readonly Column<ApiKey>[] {
  return [
    {
      id: 'key',
      header: say('column.key'),
      width: 'minmax(0, 2fr)',
      cell: (key) => <KeyName apiKey={key} />,
    },
    { id: 'state', header: say('column.state'), width: '104px', cell: (key) => <KeyState apiKey={key} /> },
    {
      id: 'uses',
      header: say('column.uses'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ families, models, scope }) => (
        <span className="quiet">
          {say(scope === 'own' ? 'scope.own.short' : 'scope.account.short')} ·{' '}
          {[...families, ...models].join(', ') || say('all')}
        </span>
      ),
    },
    {
      id: 'spent',
      header: say('column.spent'),
      width: '132px',
      align: 'end',
      wideOnly: true,
      cell: ({ id }) => spent && <Money amount={spent.get(id) ?? 0} />,
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
