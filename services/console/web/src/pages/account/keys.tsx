import { Button, Checkbox } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { useAllowed } from '../../api/roles.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { KeyDialogs, type OpenedKey } from '../keys/key-dialogs.tsx';
import { type ApiKey, KEYS } from '../keys/queries.ts';
import { keyColumns } from './key-columns.tsx';
import { say } from './texts.ts';

/** The account's keys; a secret that was just made is shown, this once. */
export function Keys({ accountId }: { accountId: string }) {
  const [words, change] = useAddress();
  const revoked = words.get('revoked') === 'true';
  const id = words.get('key') ?? '';
  const query = { account_id: accountId, id, ...(id === '' && { revoked: String(revoked) }) };
  const list = useCursorList<ApiKey>(KEYS, '/admin/v1/keys', query);
  const [opened, setOpened] = useState<OpenedKey>();
  const [supports, bills] = [useAllowed('support'), useAllowed('billing')];
  const columns = useMemo(
    () => keyColumns({ supports, bills, onChoose: (action, key) => setOpened({ action, key }) }),
    [supports, bills],
  );
  return (
    <div className="stack">
      <div className="row">
        {id === '' ? (
          <Checkbox
            size="xs"
            label={say('keys.revoked')}
            checked={revoked}
            onChange={({ currentTarget }) => change({ revoked: currentTarget.checked ? 'true' : '' })}
          />
        ) : (
          <Button variant="default" onClick={() => change({ key: '' })}>
            {say('keys.all')}
          </Button>
        )}
        {bills && (
          <span className="spread">
            <Button leftSection={<Plus size={14} />} onClick={() => setOpened({ action: 'new' })}>
              {say('keys.new')}
            </Button>
          </span>
        )}
      </div>
      <Listing
        caption={say('tab.keys')}
        list={list}
        columns={columns}
        empty={<Empty icon={KeyRound} title={say('keys.none')} />}
      />
      {opened !== undefined && <KeyDialogs opened={opened} accountId={accountId} onOpen={setOpened} />}
    </div>
  );
}
