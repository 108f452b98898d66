import { TextInput } from '@mantine/core';
import { BookOpen, Search } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useCursorList } from '../../api/cursor-list.ts';
import type { components } from '../../api/generated/api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { EntryKind } from '../../parts/entry-kind.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { Listing } from '../../parts/listing.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import classes from './ledger-page.module.css';
import { say } from './texts.ts';

type Entry = components['schemas']['LedgerEntry'];

/** Every booking of the account, with what it did to the balance. */
export default function LedgerPage() {
  const [words, change] = useAddress();
  const taskId = words.get('task_id') ?? '';
  const list = useCursorList<Entry>(['ledger'], '/v1/ledger', taskId === '' ? {} : { task_id: taskId });
  const columns = useMemo(entryColumns, []);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-label={say('task')}
        placeholder={say('task')}
        leftSection={<Search size={14} />}
        value={taskId}
        onChange={({ currentTarget }) => change({ task_id: currentTarget.value.trim() })}
      />
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty icon={BookOpen} title={say('none')} />}
      />
    </>
  );
}

function entryColumns(): readonly Column<Entry>[] {
  return [
    { id: 'kind', header: say('column.kind'), width: '112px', cell: ({ kind }) => <EntryKind kind={kind} /> },
    {
      id: 'about',
      header: say('column.about'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: ({ kind }) => <span className="quiet">{aboutOf(kind)}</span>,
    },
    {
      id: 'task',
      header: say('column.task'),
      width: '130px',
      wideOnly: true,
      cell: ({ task_id: id }) => id !== null && <Link to={`/tasks/${id}`}>{shortId(id)}</Link>,
    },
    {
      id: 'amount',
      header: say('column.amount'),
      width: '96px',
      align: 'end',
      wideOnly: true,
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      id: 'change',
      header: say('column.change'),
      width: 'minmax(72px, 1fr)',
      align: 'end',
      cell: ({ change }) => <Money amount={change} signed />,
    },
    {
      id: 'balance',
      header: say('column.balance'),
      width: 'minmax(72px, 1fr)',
      align: 'end',
      cell: ({ balance_after: balance }) => balance !== null && <Money amount={balance} />,
    },
    {
      id: 'created',
      header: say('column.created'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ created }) => <Moment at={created} />,
    },
  ];
}

/** Why the balance changed by more or less than the amount. */
function aboutOf(kind: string): string {
  switch (kind) {
    case 'hold':
      return say('about.hold');
    case 'settle':
      return say('about.settle');
    case 'refund':
      return say('about.refund');
    case 'top_up':
      return say('about.top_up');
    default:
      return say('about.adjust');
  }
}
