import { Button } from '@mantine/core';
import { UserPlus, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import type { SessionUser } from '../../api/session.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { ActDialog } from './act-dialog.tsx';
import { type Asked, actsOf } from './acts.ts';
import { userColumns } from './columns.tsx';
import { Filters } from './filters.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';
import { type InvitedUser, USERS, type User, useOwnUser, usersPath } from './queries.ts';
import { say } from './texts.ts';
import { UserDialog } from './user-dialog.tsx';

export default function UsersPage() {
  const own = useOwnUser();
  return own && <UsersOf own={own} />;
}

type Opened = { kind: 'new' } | { kind: 'asked'; asked: Asked; user: User } | { kind: 'invited'; user: InvitedUser };

function UsersOf({ own }: { own: SessionUser }) {
  const isOperator = own.kind === 'operator';
  const mayManage = own.role === 'admin' || own.role === 'owner';
  const [words, change] = useAddress();
  const [opened, setOpened] = useState<Opened>();
  const query = Object.fromEntries(FILTERED.map((name) => [name, words.get(name) ?? '']));
  const list = useCursorList<User>([USERS], usersPath(own), isOperator ? query : {});
  const columns = useMemo(
    () =>
      userColumns({
        showsAccount: own.kind === 'operator',
        actsOf: (user) => actsOf(user, own),
        onAct: (asked, user) => setOpened({ kind: 'asked', asked, user }),
      }),
    [own],
  );
  const close = () => setOpened(undefined);
  const onInvited = (user: InvitedUser) => setOpened({ kind: 'invited', user });
  return (
    <>
      <PageHead title={say('title')} about={say(isOperator ? 'about.operator' : 'about.account')}>
        {mayManage && (
          <Button leftSection={<UserPlus size={14} />} onClick={() => setOpened({ kind: 'new' })}>
            {say('invite')}
          </Button>
        )}
      </PageHead>
      {isOperator && <Filters words={words} onChange={change} />}
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={Users} title={say('none')} />}
      />
      {opened?.kind === 'new' && <UserDialog own={own} changed={undefined} onInvited={onInvited} onClose={close} />}
      {opened?.kind === 'asked' && opened.asked === 'change' && (
        <UserDialog own={own} changed={opened.user} onInvited={onInvited} onClose={close} />
      )}
      {opened?.kind === 'asked' && opened.asked !== 'change' && (
        <ActDialog own={own} user={opened.user} act={opened.asked} onInvited={onInvited} onClose={close} />
      )}
      {opened?.kind === 'invited' && <InvitationDialog user={opened.user} onClose={close} />}
    </>
  );
}

const FILTERED = ['email', 'role', 'state', 'kind', 'account_id'];
