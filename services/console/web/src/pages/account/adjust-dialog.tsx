import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

/** Corrects the balance, up or down, never below zero. */
export function AdjustDialog({ account: { id, name, balance }, onClose }: { account: Account; onClose(): void }) {
  const form = useForm<{ amount: number | '' }>({ amount: '' });
  const { amount } = form.values;
  return (
    <ChangeDialog<Account>
      title={say('adjust.title', { name })}
      about={say('adjust.about', { balance: exactMoney(balance), after: exactMoney(balance + (amount || 0)) })}
      action={say('adjust')}
      dangerous
      path={`/admin/v1/accounts/${id}/adjust`}
      body={{ amount }}
      affects={ACCOUNT_VIEWS}
      disabled={amount === ''}
      done={(after) => say('topUp.done', { name, balance: exactMoney(after.balance) })}
      onClose={onClose}
    >
      {fieldsOf(form, [{ kind: 'amount', name: 'amount', label: say('amount'), about: say('adjust.amount') }])}
    </ChangeDialog>
  );
}
