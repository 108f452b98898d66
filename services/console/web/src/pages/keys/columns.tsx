import { Ban, Pencil } from 'lucide-react';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { IconAction } from '../../parts/icon-action.tsx';
import { Money } from '../../parts/money.tsx';
import classes from './columns.module.css';
import { commonKeyColumns } from './key-columns.tsx';
import type { OwnKeyAction } from './key-dialogs.tsx';
import type { ApiKey } from './queries.ts';
import { say } from './texts.ts';

/** The amounts spent, by the keys' ids; undefined: not known yet. */
type Spent = ReadonlyMap<string | number | null | undefined, number> | undefined;
type Choose = (action: OwnKeyAction, key: ApiKey) => void;

export function keyColumns(spent: Spent, onChoose: Choose): readonly Column<ApiKey>[] {
  const { key, state, uses, quota, used } = commonKeyColumns();
  return [
    key,
    state,
    uses,
    {
      id: 'spent',
      header: say('column.spent'),
      width: '132px',
      align: 'end',
      wideOnly: true,
      cell: ({ id }) => spent && <Money amount={spent.get(id) ?? 0} />,
    },
    quota,
    momentColumn('expires', say('column.expires'), ({ expires_at: at }) => at),
    used,
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
