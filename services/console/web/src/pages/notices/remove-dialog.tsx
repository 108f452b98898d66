import { ChangeDialog } from '../../parts/change-dialog.tsx';
import type { Audience } from './audience.ts';
import { TARGETS, type Target } from './queries.ts';
import { say } from './texts.ts';

interface RemoveDialogProps {
  audience: Audience;
  target: Target;
  onClose(): void;
}

export function RemoveDialog({ audience: { root, isOperator }, target: { id, address }, onClose }: RemoveDialogProps) {
  const path = `${root}/targets/${id}`;
  return (
    <ChangeDialog
      title={say('target.remove.title', { name: address })}
      about={say('target.remove.about')}
      action={say('target.remove')}
      dangerous
      asksReason={isOperator}
      method={isOperator ? 'POST' : 'DELETE'}
      path={isOperator ? `${path}/remove` : path}
      affects={[TARGETS]}
      done={say('target.remove.done')}
      onClose={onClose}
    />
  );
}
