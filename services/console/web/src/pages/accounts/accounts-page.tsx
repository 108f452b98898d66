import { Button } from '@mantine/core';
import { Building2, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Account } from '../../api/account.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useAllowed } from '../../api/roles.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { AccountState } from '../../parts/account-state.tsx';
import { moneyColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Filter } from '../../parts/filter.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { Listing } from '../../parts/listing.tsx';
import { NarrowField } from '../../parts/narrow-field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import classes from './accounts-page.module.css';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { say } from './texts.ts';

const STATES = ['active', 'suspended', 'closed'] as const;

/** The accounts whose tasks the gateway does, and their money. */
export default function AccountsPage() {
  const [words, change] = useAddress();
  const [opens, setOpens] = useState(false);
  const bills = useAllowed('billing');
  const [query, state, keyId] = ['query', 'state', 'key_id'].map((name) => words.get(name) ?? '');
  const list = useCursorList<Account>(['accounts'], '/admin/v1/accounts', {
    query: query ?? '',
    state: state ?? '',
    key_id: keyId ?? '',
  });
  const columns = useMemo(accountColumns, []);
  return (
    <>
      <PageHead title={say('title')}>
        {bills && (
          <Button leftSection={<Plus size={14} />} onClick={() => setOpens(true)}>
            {say('new')}
          </Button>
        )}
      </PageHead>
      <div className={classes.filters}>
        <NarrowField label={say('search')} value={query ?? ''} onChange={(text) => change({ query: text })} />
        <Filter
          name="state"
          label={say('column.state')}
          data={STATES.map((value) => ({ value, label: sayFrame(`account.${value}`) }))}
          words={words}
          onChange={change}
        />
      </div>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={Building2} title={say('none')} />}
      />
      {opens && <NewAccountDialog onClose={() => setOpens(false)} />}
    </>
  );
}

function accountColumns(): readonly Column<Account>[] {
  return [
    {
      id: 'name',
      header: say('column.name'),
      width: 'minmax(0, 2fr)',
      cell: ({ id, name }) => <Link to={`/accounts/${id}`}>{name}</Link>,
    },
    { id: 'id', header: say('column.id'), width: '150px', wideOnly: true, cell: ({ id }) => <IdChip id={id} /> },
    {
      id: 'state',
      header: say('column.state'),
      width: '108px',
      cell: ({ state }) => <AccountState state={state} />,
    },
    {
      ...moneyColumn('balance', say('column.balance'), ({ balance }) => balance),
      wideOnly: false,
      width: 'minmax(72px, 1fr)',
    },
    moneyColumn('held', say('column.held'), ({ held }) => held),
    moneyColumn('settled', say('column.settled'), ({ settled }) => settled),
  ];
}
