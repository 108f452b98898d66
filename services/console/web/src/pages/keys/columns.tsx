import { Ban, Pencil } from 'lucide-react';
import { momentColumn, moneyColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { IconAction } from '../../parts/icon-action.tsx';
import { KeyName, KeyState } from '../../parts/key-name.tsx';
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
    moneyColumn('quota', say('column.quota'), ({ quota }) => quota),
    momentColumn('expires', say('column.expires'), ({ expires_at: at }) => at),
    momentColumn('used', say('column.used'), ({ last_used_at: at }) => at),
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
      <IconAction icon={Pencil} label={say('change.one', { name })} onClick={() => onChoose('change', apiKey)} />
      <IconAction icon={Ban} label={say('revoke.one', { name })} onClick={() => onChoose('revoke', apiKey)} />
    </span>
  );
}
