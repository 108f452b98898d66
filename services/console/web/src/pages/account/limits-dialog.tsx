import { Input, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/generated/api.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

type Fields = Required<Omit<components['schemas']['Bodies']['adminUpdateAccount'], 'reason'>>;

const CLASSES = ['low', 'normal', 'high'] as const;
const MARKS = ['default', 'off', 'metadata', 'signed'] as const;
const UNMARKED = ['default', 'deliver', 'fail'] as const;
const LIMITS = ['submit_per_minute', 'query_per_minute'] as const;
const NAME_MAX_CHARACTERS = 200;

/** Name, limits, priority class and marks. */
export function LimitsDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const { id, name, submit_per_minute, query_per_minute, priority_class, marks, unmarked } = account;
  const [fields, setFields] = useState<Fields>({
    name,
    submit_per_minute,
    query_per_minute,
    priority_class,
    marks,
    unmarked,
  });
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
      done={(after) => say('limits.done', { name: after.name })}
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
          <Choices fields={fields} onChange={(changed) => setFields({ ...fields, ...changed })} />
        </>
      )}
    </ChangeDialog>
  );
}

function Choices({ fields, onChange }: { fields: Fields; onChange(changed: Partial<Fields>): void }) {
  return (
    <>
      <Choice
        label={say('limits.class')}
        words={CLASSES.map((value) => ({ value, label: say(`class.${value}`) }))}
        value={fields.priority_class}
        onChange={(priority_class) => onChange({ priority_class })}
      />
      <Choice
        label={say('limits.marks')}
        words={MARKS.map((value) => ({ value, label: say(value === 'default' ? value : `marks.${value}`) }))}
        value={fields.marks ?? 'default'}
        onChange={(word) => onChange({ marks: word === 'default' ? null : word })}
      />
      <Choice
        label={say('limits.unmarked')}
        words={UNMARKED.map((value) => ({ value, label: say(value === 'default' ? value : `unmarked.${value}`) }))}
        value={fields.unmarked ?? 'default'}
        onChange={(word) => onChange({ unmarked: word === 'default' ? null : word })}
      />
    </>
  );
}

interface ChoiceProps<Word extends string> {
  label: string;
  words: { value: Word; label: string }[];
  value: Word;
  onChange(word: Word): void;
}

function Choice<Word extends string>({ label, words, value, onChange }: ChoiceProps<Word>) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={label}
        data={words}
        value={value}
        onChange={(word) => onChange(word as Word)}
      />
    </Input.Wrapper>
  );
}
