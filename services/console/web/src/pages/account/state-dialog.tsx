import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

export type StateChange = 'suspend' | 'resume' | 'close';

interface StateDialogProps {
  account: Account;
  change: StateChange;
  onClose(): void;
}

export function StateDialog({ account: { id, name, balance }, change, onClose }: StateDialogProps) {
  return (
    <ChangeDialog
      title={say(`${change}.title`, { name })}
      about={say(`${change}.about`, { balance: exactMoney(balance) })}
      action={say(change)}
      dangerous={change !== 'resume'}
      path={`/admin/v1/accounts/${id}/${change}`}
      affects={ACCOUNT_VIEWS}
      done={say(`${change}.done`, { name })}
      onClose={onClose}
    />
  );
}
