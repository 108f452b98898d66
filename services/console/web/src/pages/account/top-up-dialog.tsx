import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

const REFERENCE = { kind: 'text', name: 'reference', maxLength: 200 } as const;

/** Books a payment; one reference is booked once, whoever books it. */
export function TopUpDialog({ account: { id, name, balance }, onClose }: { account: Account; onClose(): void }) {
  const form = useForm<{ amount: number | ''; reference: string }>({ amount: '', reference: '' });
  const { amount } = form.values;
  const [paid, reference] = [amount || 0, form.values.reference.trim()];
  return (
    <ChangeDialog<Account>
      title={say('topUp.title', { name })}
      about={say('topUp.about', { balance: exactMoney(balance + paid) })}
      action={say('topUp.press', { amount: exactMoney(paid) })}
      path={`/admin/v1/accounts/${id}/top-up`}
      body={{ amount, ...(reference !== '' && { reference }) }}
      affects={ACCOUNT_VIEWS}
      disabled={amount === ''}
      done={(after) => say('topUp.done', { name, balance: exactMoney(after.balance) })}
      onClose={onClose}
    >
      {fieldsOf(form, [
        { kind: 'amount', name: 'amount', label: say('amount'), min: 0 },
        { ...REFERENCE, label: say('topUp.reference'), about: say('topUp.reference.about') },
      ])}
    </ChangeDialog>
  );
}
