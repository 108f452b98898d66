import type { components } from '../../api/generated/api.ts';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { KeyName, KeyState } from '../../parts/key-name.tsx';
import { Money } from '../../parts/money.tsx';
import { say } from './texts.ts';

type ApiKey = components['schemas']['ApiKey'];

/** The columns that lists of keys have for holders and for operators, by their ids. */
export function commonKeyColumns() {
  const key: Column<ApiKey> = {
    id: 'key',
    header: say('column.key'),
    width: 'minmax(0, 2fr)',
    cell: (row) => <KeyName apiKey={row} />,
  };
  const state: Column<ApiKey> = {
    id: 'state',
    header: say('column.state'),
    width: '104px',
    cell: (row) => <KeyState apiKey={row} />,
  };
  const uses: Column<ApiKey> = {
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
  };
  const quota: Column<ApiKey> = {
    id: 'quota',
    header: say('column.quota'),
    width: '132px',
    align: 'end',
    wideOnly: true,
    cell: (row) => <QuotaLeft {...row} />,
  };
  const used = momentColumn<ApiKey>('used', say('column.used'), (row) => row.last_used_at);
  return { key, state, uses, quota, used };
}

function QuotaLeft({ quota, quota_left: left }: ApiKey) {
  if (quota === null || left === null) return '–';
  return (
    <>
      <Money amount={left} /> / <Money amount={quota} />
    </>
  );
}
