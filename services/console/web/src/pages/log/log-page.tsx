import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { type Action, actionColumns } from './columns.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { FILTERS, Filters } from './filters.tsx';
import { say } from './texts.ts';

/** The audit log: who changed what, and why. */
export default function LogPage() {
  const [words, change] = useAddress();
  const query = Object.fromEntries(FILTERS.map((name) => [name, words.get(name) ?? '']));
  const list = useCursorList<Action>(['log'], '/admin/v1/actions', query);
  const filtered = new URLSearchParams(words);
  filtered.delete('entry');
  const search = filtered.toString();
  const columns = useMemo(
    () => actionColumns((id) => `?${new URLSearchParams([...new URLSearchParams(search), ['entry', id]])}`),
    [search],
  );
  const entry = list.rows?.find(({ id }) => id === words.get('entry'));
  const known = [...new Set(list.rows?.map(({ action }) => action))].sort();
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <Filters words={words} known={known} onChange={change} />
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={ScrollText} title={say('none')} />}
      />
      {entry !== undefined && <EntryDialog entry={entry} onClose={() => change({ entry: '' })} />}
    </>
  );
}
