import { Checkbox } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { useAllowed } from '../../api/roles.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { type Attempt, attemptColumns } from './columns.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import { say } from './texts.ts';

/** Attempts whose outcome nobody knows, until an operator says whether the vendor charges for them. */
export default function QuarantinePage() {
  const [words, change] = useAddress();
  const resolved = words.get('resolved') === 'true';
  const test = words.get('test') === 'true';
  const list = useCursorList<Attempt>(['quarantine'], '/admin/v1/attempts', {
    resolved: String(resolved),
    test: String(test),
  });
  const [chosen, setChosen] = useState<Attempt>();
  const bills = useAllowed('billing');
  const columns = useMemo(() => attemptColumns(bills ? setChosen : undefined), [bills]);
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        <Checkbox
          size="xs"
          label={say('resolved')}
          checked={resolved}
          onChange={({ currentTarget }) => change({ resolved: currentTarget.checked ? 'true' : '' })}
        />
        <Checkbox
          size="xs"
          label={say('test')}
          checked={test}
          onChange={({ currentTarget }) => change({ test: currentTarget.checked ? 'true' : '' })}
        />
      </PageHead>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={ShieldCheck} title={say('none')} />}
      />
      {chosen !== undefined && <ResolveDialog attempt={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}
