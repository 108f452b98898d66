import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Filters as Chosen, metadataName } from '../../parts/task-search.ts';
import { type AddressProps, useAddress } from '../../parts/use-address.ts';
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
  const refusal = refusalOf(list.error, filters);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <Filters words={words} onChange={change} />
      {refusal !== undefined && (
        <Panel>
          <Empty icon={SearchX} title={say('none.refused')}>
            {refusal}
          </Empty>
        </Panel>
      )}
      {refusal === undefined && (
        <Listing
          caption={say('title')}
          list={list}
          columns={columns}
          empty={<Nothing request={filters['request_id']} onChange={change} />}
        />
      )}
    </>
  );
}

/** Says why the API cannot search for this; undefined: it can, or something else went wrong. */
function refusalOf(error: Error | null, filters: Chosen): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const isByMetadata = Object.keys(filters).some((name) => metadataName(name) !== undefined);
  return isByMetadata && filters['account_id'] === undefined ? say('none.account') : error.message;
}

/** No task was found; a request's id may have been meant as a part of a task's, or as words. */
function Nothing({ request, onChange }: Pick<AddressProps, 'onChange'> & { request: string | undefined }) {
  const lookIn = (name: 'id' | 'query') => onChange({ request_id: '', [name]: request ?? '' });
  return (
    <Empty icon={SearchX} title={say('none')}>
      {request !== undefined && (
        <span className="row">
          <Button variant="default" onClick={() => lookIn('id')}>
            {say('none.asId', { text: request })}
          </Button>
          <Button variant="default" onClick={() => lookIn('query')}>
            {say('none.asWords', { text: request })}
          </Button>
        </span>
      )}
    </Empty>
  );
}
