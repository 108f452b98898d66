import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { keyColumns } from './columns.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { type ApiKey, KEYS, spentQuery } from './queries.ts';
import { say } from './texts.ts';

type Opened =
  | { kind: 'new' }
  | { kind: 'change' | 'revoke'; key: ApiKey }
  | { kind: 'shown'; secret: string }
  | undefined;

/** The account's keys; the secret of one that was just made is shown, this once. */
export default function KeysPage() {
  const [words, change] = useAddress();
  const [opened, setOpened] = useState<Opened>();
  const revoked = words.get('revoked') === 'true';
  const list = useCursorList<ApiKey>(KEYS, '/v1/keys', { revoked: String(revoked) });
  const { data: spent } = useQuery(spentQuery);
  const columns = useMemo(() => keyColumns(spent, (kind, key) => setOpened({ kind, key })), [spent]);
  const close = () => setOpened(undefined);
  const finish = ({ key }: ApiKey) => setOpened(key === undefined ? undefined : { kind: 'shown', secret: key });
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        <Checkbox
          size="xs"
          label={say('revoked')}
          checked={revoked}
          onChange={({ currentTarget }) => change({ revoked: currentTarget.checked ? 'true' : '' })}
        />
        <Button leftSection={<Plus size={14} />} onClick={() => setOpened({ kind: 'new' })}>
          {say('new')}
        </Button>
      </PageHead>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={KeyRound} title={say('none')} />}
      />
      {(opened?.kind === 'new' || opened?.kind === 'change') && (
        <KeyDialog changed={opened.kind === 'change' ? opened.key : undefined} onDone={finish} onClose={close} />
      )}
      {opened?.kind === 'revoke' && <RevokeKey apiKey={opened.key} onClose={close} />}
      {opened?.kind === 'shown' && (
        <SecretDialog
          secret={opened.secret}
          title={say('new')}
          about={say('secret.about')}
          kept={say('secret.kept')}
          onClose={close}
        />
      )}
    </>
  );
}

function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const names = { name: name || id };
  return (
    <ChangeDialog
      title={say('revoke.title', names)}
      about={say('revoke.about')}
      action={say('revoke')}
      dangerous
      method="DELETE"
      path={`/v1/keys/${id}`}
      affects={KEYS}
      asksReason={false}
      done={say('revoke.done', names)}
      onClose={onClose}
    />
  );
}
