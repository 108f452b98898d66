import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { type FoundTask, foundColumns } from './columns.tsx';
import { Filters } from './filters.tsx';
import { filtersOf } from './read-filters.ts';
import { say } from './texts.ts';

/** Tasks of all accounts, by anything that a support case has. */
export default function SupportPage() {
  const [words, change] = useAddress();
  const filters = filtersOf(words);
  const list = useCursorList<FoundTask>(['found-tasks'], '/admin/v1/tasks', filters);
  const columns = useMemo(foundColumns, []);
  const request = filters['request_id'];
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <Filters words={words} onChange={change} />
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={
          <Empty icon={SearchX} title={say('none')}>
            {request !== undefined && (
              <Button variant="default" onClick={() => change({ request_id: '', id: request })}>
                {say('none.asId', { text: request })}
              </Button>
            )}
          </Empty>
        }
      />
    </>
  );
}
