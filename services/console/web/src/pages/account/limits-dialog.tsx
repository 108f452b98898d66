import { Input, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/generated/api.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { notify } from '../../parts/notices.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

type Fields = Required<Omit<components['schemas']['Bodies']['adminUpdateAccount'], 'reason'>>;

const CLASSES = ['low', 'normal', 'high'] as const;
const LIMITS = ['submit_per_minute', 'query_per_minute'] as const;
const NAME_MAX_CHARACTERS = 200;

/** Name, limits and priority class. */
export function LimitsDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const { id, name, submit_per_minute, query_per_minute, priority_class } = account;
  const [fields, setFields] = useState<Fields>({ name, submit_per_minute, query_per_minute, priority_class });
  return (
    <ChangeDialog<Account>
      title={say('limits.title', { name })}
      about={say('limits.about')}
      action={say('limits.save')}
      method="PATCH"
      path={`/admin/v1/accounts/${id}`}
      body={fields}
      affects={ACCOUNT_VIEWS}
      disabled={fields.name.trim() === ''}
      onDone={(after) => {
        notify(say('limits.done', { name: after.name }));
        onClose();
      }}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <TextInput
            label={say('name')}
            maxLength={NAME_MAX_CHARACTERS}
            value={fields.name}
            error={faultOf('name')}
            onChange={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
            data-autofocus
          />
          {LIMITS.map((limit) => (
            <NumberField
              key={limit}
              label={say(limit === 'submit_per_minute' ? 'limits.submit' : 'limits.query')}
              placeholder={say('limits.none')}
              min={1}
              allowDecimal={false}
              value={fields[limit] ?? ''}
              error={faultOf(limit)}
              onChange={(value) => setFields({ ...fields, [limit]: value === '' ? null : value })}
            />
          ))}
          <Input.Wrapper label={say('limits.class')} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label={say('limits.class')}
              data={CLASSES.map((value) => ({ value, label: say(`class.${value}`) }))}
              value={fields.priority_class}
              onChange={(value) => setFields({ ...fields, priority_class: value as Fields['priority_class'] })}
            />
          </Input.Wrapper>
        </>
      )}
    </ChangeDialog>
  );
}
