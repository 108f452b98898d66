import { useState } from 'react';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { exactMoney, MONEY_DECIMALS } from '../../parts/money.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

/** Corrects the balance, up or down, never below zero. */
export function AdjustDialog({ account: { id, name, balance }, onClose }: { account: Account; onClose(): void }) {
  const [amount, setAmount] = useState<number | ''>('');
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
      {(faultOf) => (
        <NumberField
          label={say('amount')}
          description={say('adjust.amount')}
          decimalScale={MONEY_DECIMALS}
          value={amount}
          error={faultOf('amount')}
          onChange={setAmount}
          data-autofocus
        />
      )}
    </ChangeDialog>
  );
}
