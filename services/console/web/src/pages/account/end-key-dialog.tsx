import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { type ApiKey, KEYS } from './queries.ts';
import { say } from './texts.ts';

interface EndKeyDialogProps {
  apiKey: ApiKey;
  /** `rotate`: it gets a new secret; `revoke`: it ends. */
  action: 'rotate' | 'revoke';
  onDone(key: ApiKey): void;
  onClose(): void;
}

export function EndKeyDialog({ apiKey: { id, name }, action, onDone, onClose }: EndKeyDialogProps) {
  const names = { name: name || id };
  return (
    <ChangeDialog<ApiKey>
      title={say(`${action}.title`, names)}
      about={say(`${action}.about`)}
      action={say(action)}
      dangerous
      path={`/admin/v1/keys/${id}/${action}`}
      affects={[KEYS]}
      done={say(`${action}.done`, names)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
