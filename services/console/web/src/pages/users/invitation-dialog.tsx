import { Button } from '@mantine/core';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Moment } from '../../parts/moment.tsx';
import type { InvitedUser } from './queries.ts';
import { say } from './texts.ts';

/** The link, this once: nobody can look it up afterwards. */
export function InvitationDialog({ user, onClose }: { user: InvitedUser; onClose(): void }) {
  const { email, invitation } = user;
  return (
    <Dialog
      onClose={onClose}
      // A click beside it would lose the link.
      closeOnClickOutside={false}
      title={say('invitation.title', { email })}
    >
      {invitation !== undefined && (
        <div className="stack">
          <p>{say('invitation.about')}</p>
          <CodeBlock code={`${location.origin}/invitation#${invitation.token}`} />
          <p className="quiet">
            {say('invitation.ends')} <Moment at={invitation.expires_at} />
          </p>
          <Button size="sm" onClick={onClose}>
            {say('invitation.kept')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
