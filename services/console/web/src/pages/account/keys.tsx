import { Button, Checkbox } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { useAllowed } from '../../api/roles.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { EndKeyDialog } from './end-key-dialog.tsx';
import { type KeyAction, keyColumns } from './key-columns.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { type ApiKey, KEYS } from './queries.ts';
import { say } from './texts.ts';

type Opened = { action: 'new' } | { action: KeyAction; key: ApiKey } | { action: 'shown'; secret: string };

/** The account's keys; a secret that was just made is shown, this once. */
export function Keys({ accountId }: { accountId: string }) {
  const [words, change] = useAddress();
  const revoked = words.get('revoked') === 'true';
  const id = words.get('key') ?? '';
  const query = { account_id: accountId, id, ...(id === '' && { revoked: String(revoked) }) };
  const list = useCursorList<ApiKey>([KEYS], '/admin/v1/keys', query);
  const [opened, setOpened] = useState<Opened>();
  const [supports, bills] = [useAllowed('support'), useAllowed('billing')];
  const columns = useMemo(
    () => keyColumns({ supports, bills, onChoose: (action, key) => setOpened({ action, key }) }),
    [supports, bills],
  );
  const close = () => setOpened(undefined);
  const finish = ({ key }: ApiKey) => setOpened(key === undefined ? undefined : { action: 'shown', secret: key });
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
      {opened !== undefined && <OpenedDialog opened={opened} accountId={accountId} onDone={finish} onClose={close} />}
    </div>
  );
}

interface OpenedDialogProps {
  opened: Opened;
  accountId: string;
  onDone(key: ApiKey): void;
  onClose(): void;
}

function OpenedDialog({ opened, accountId, ...ends }: OpenedDialogProps) {
  switch (opened.action) {
    case 'new':
      return <KeyDialog accountId={accountId} {...ends} />;
    case 'change':
      return <KeyDialog accountId={accountId} changed={opened.key} {...ends} />;
    case 'shown':
      return (
        <SecretDialog
          secret={opened.secret}
          title={say('secret')}
          about={say('secret.about')}
          kept={say('secret.kept')}
          onClose={ends.onClose}
        />
      );
    default:
      return <EndKeyDialog apiKey={opened.key} action={opened.action} {...ends} />;
  }
}
