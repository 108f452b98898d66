import { TextInput } from '@mantine/core';
import { BookOpen, Search } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import type { components } from '../../api/generated/api.ts';
import { Empty } from '../../parts/empty.tsx';
import { ledgerColumns } from '../../parts/ledger-columns.tsx';
import { Listing } from '../../parts/listing.tsx';
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
  const columns = useMemo(ledgerColumns, []);
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
        empty={<Empty icon={BookOpen} title={say('none')} />}
      />
    </>
  );
}
