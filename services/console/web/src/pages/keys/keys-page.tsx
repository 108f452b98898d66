import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { keyColumns } from './columns.tsx';
import { KeyDialogs, type OpenedKey, type OwnKeyAction } from './key-dialogs.tsx';
import { type ApiKey, KEYS, spentQuery } from './queries.ts';
import { say } from './texts.ts';

/** The account's keys; the secret of one that was just made is shown, this once. */
export default function KeysPage() {
  const [words, change] = useAddress();
  const [opened, setOpened] = useState<OpenedKey<OwnKeyAction>>();
  const revoked = words.get('revoked') === 'true';
  const list = useCursorList<ApiKey>(KEYS, '/v1/keys', { revoked: String(revoked) });
  const { data: spent } = useQuery(spentQuery);
  const columns = useMemo(() => keyColumns(spent, (action, key) => setOpened({ action, key })), [spent]);
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        <Checkbox
          size="xs"
          label={say('revoked')}
          checked={revoked}
          onChange={({ currentTarget }) => change({ revoked: currentTarget.checked ? 'true' : '' })}
        />
        <Button leftSection={<Plus size={14} />} onClick={() => setOpened({ action: 'new' })}>
          {say('new')}
        </Button>
      </PageHead>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={KeyRound} title={say('none')} />}
      />
      {opened !== undefined && <KeyDialogs opened={opened} onOpen={setOpened} />}
    </>
  );
}
