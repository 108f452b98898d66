import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { notify } from '../../parts/notices.tsx';
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
      onDone={(key) => {
        notify(say(`${action}.done`, names));
        onDone(key);
      }}
      onClose={onClose}
    />
  );
}
