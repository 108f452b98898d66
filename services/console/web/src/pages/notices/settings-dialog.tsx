import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { MONEY_DECIMALS } from '../../parts/money.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import type { Audience } from './audience.ts';
import { SETTINGS, type Settings } from './queries.ts';
import { say } from './texts.ts';

type Name = 'low_balance' | 'callbacks_failed' | 'channel_minutes' | 'repeat_minutes' | 'quiet_minutes';
type Fields = Partial<Record<Name, number | null>> & { key_quota_percents?: number[] | null };

interface SettingsDialogProps {
  audience: Audience;
  settings: Settings;
  onClose(): void;
}

const LEAST: Record<Name, number> = {
  low_balance: 0,
  callbacks_failed: 1,
  channel_minutes: 0,
  repeat_minutes: 0,
  quiet_minutes: 1,
};

/** Only what was changed is sent; empty gives a field back to operators, or to its default. */
export function SettingsDialog({ audience: { root, isOperator }, settings, onClose }: SettingsDialogProps) {
  const [fields, setFields] = useState<Fields>({});
  return (
    <ChangeDialog
      title={say('settings')}
      about={say(isOperator ? 'settings.operator' : 'settings.account')}
      action={say('settings.save')}
      asksReason={isOperator}
      method="PATCH"
      path={`${root}/settings`}
      body={fields}
      affects={[SETTINGS]}
      disabled={Object.keys(fields).length === 0}
      done={say('settings.done')}
      onClose={onClose}
    >
      {(faultOf) => (
        <FieldInputs
          settings={settings}
          fields={fields}
          faultOf={faultOf}
          onChange={(changes) => setFields({ ...fields, ...changes })}
        />
      )}
    </ChangeDialog>
  );
}

interface FieldInputsProps {
  settings: Settings;
  /** The fields that were changed. */
  fields: Fields;
  faultOf: FaultOf;
  onChange(changes: Fields): void;
}

function FieldInputs({ settings, fields, faultOf, onChange }: FieldInputsProps) {
  const names = (Object.keys(LEAST) as Name[]).filter((name) => settings[name] !== undefined);
  return (
    <>
      <TextInput
        label={say('set.key_quota_percents')}
        defaultValue={settings.key_quota_percents.join(' ')}
        error={faultOf('key_quota_percents')}
        onChange={({ currentTarget }) => onChange({ key_quota_percents: percentsIn(currentTarget.value) })}
      />
      {names.map((name) => (
        <NumberField
          key={name}
          label={say(`set.${name}`)}
          {...(name.endsWith('minutes') && { description: say('inMinutes') })}
          min={LEAST[name]}
          decimalScale={name === 'low_balance' ? MONEY_DECIMALS : 0}
          value={(name in fields ? fields[name] : settings[name]) ?? ''}
          error={faultOf(name)}
          onChange={(value) => onChange({ [name]: value === '' ? null : value })}
        />
      ))}
    </>
  );
}

/** Null: as operators have it. The API refuses words that are no numbers. */
function percentsIn(text: string): number[] | null {
  const words = text.split(/[\s,%]+/).filter(Boolean);
  return words.length === 0 ? null : words.map(Number);
}
