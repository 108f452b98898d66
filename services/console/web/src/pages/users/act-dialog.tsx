import type { SessionUser } from '../../api/session.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { notify } from '../../parts/notices.tsx';
import type { Act } from './acts.ts';
import { type InvitedUser, USERS, type User, usersPath } from './queries.ts';
import { say } from './texts.ts';

interface ActDialogProps {
  own: SessionUser;
  user: User;
  act: Act;
  onInvited(user: InvitedUser): void;
  onClose(): void;
}

/** Says what an act does to a user, and asks why. */
export function ActDialog({ own, user, act, onInvited, onClose }: ActDialogProps) {
  const name = user.name || user.email;
  const path = `${usersPath(own)}/${encodeURIComponent(user.id)}`;
  return (
    <ChangeDialog<InvitedUser>
      title={`${say(`${act}.action`)} · ${name}`}
      about={say(`${act}.about`)}
      action={say(`${act}.action`)}
      dangerous={act !== 'enable' && act !== 'invite'}
      method={act === 'delete' ? 'DELETE' : 'POST'}
      path={act === 'delete' ? path : `${path}/${act}`}
      affects={[USERS, 'log']}
      onDone={(changed) => {
        if (changed.invitation !== undefined) return onInvited(changed);
        notify(say('done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
