import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { exactMoney, MONEY_DECIMALS } from '../../parts/money.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

const MAX_CHARACTERS = 200;

/** Books a payment; one reference is booked once, whoever books it. */
export function TopUpDialog({ account: { id, name, balance }, onClose }: { account: Account; onClose(): void }) {
  const [amount, setAmount] = useState<number | ''>('');
  const [reference, setReference] = useState('');
  const paid = amount || 0;
  return (
    <ChangeDialog<Account>
      title={say('topUp.title', { name })}
      about={say('topUp.about', { balance: exactMoney(balance + paid) })}
      action={say('topUp.press', { amount: exactMoney(paid) })}
      path={`/admin/v1/accounts/${id}/top-up`}
      body={{ amount, ...(reference.trim() !== '' && { reference: reference.trim() }) }}
      affects={ACCOUNT_VIEWS}
      disabled={amount === ''}
      done={(after) => say('topUp.done', { name, balance: exactMoney(after.balance) })}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <NumberField
            label={say('amount')}
            min={0}
            decimalScale={MONEY_DECIMALS}
            value={amount}
            error={faultOf('amount')}
            onChange={setAmount}
            data-autofocus
          />
          <TextInput
            label={say('topUp.reference')}
            description={say('topUp.reference.about')}
            maxLength={MAX_CHARACTERS}
            value={reference}
            error={faultOf('reference')}
            onChange={({ currentTarget }) => setReference(currentTarget.value)}
          />
        </>
      )}
    </ChangeDialog>
  );
}
