import { Checkbox, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/generated/api.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import classes from './key-dialog.module.css';
import { type ApiKey, DECIMALS, KEYS } from './queries.ts';
import { say } from './texts.ts';

type Fields = Omit<components['schemas']['Bodies']['adminCreateKey'], 'account_id' | 'reason'>;
type Family = NonNullable<Fields['families']>[number];

interface KeyDialogProps {
  accountId: string;
  /** Absent: a new one is made. */
  changed?: ApiKey;
  onDone(key: ApiKey): void;
  onClose(): void;
}

/** How much of its account a key sees. */
const SCOPES = ['own', 'account'] as const;
type Scope = (typeof SCOPES)[number];
const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'] as const;
/** `fallback`: what a new key has where nothing is said; it cannot be lifted, and empty leaves it as it is. */
const NUMBERS = [
  { name: 'quota', decimals: DECIMALS, least: 0, fallback: undefined },
  { name: 'max_concurrent', decimals: 0, least: 1, fallback: undefined },
  { name: 'submit_per_minute', decimals: 0, least: 1, fallback: 300 },
  { name: 'query_per_minute', decimals: 0, least: 1, fallback: 3000 },
] as const;
const NAME_MAX_CHARACTERS = 200;
const DAY_SECONDS = 86_400;

/** Issues a key of the account, or changes what one may do. */
export function KeyDialog({ accountId, changed, onDone, onClose }: KeyDialogProps) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(changed));
  const isNew = changed === undefined;
  const { mode, ...settings } = fields;
  return (
    <ChangeDialog<ApiKey>
      title={isNew ? say('keys.new') : say('change.title', { name: changed.name || changed.id })}
      about={say(isNew ? 'keys.new.about' : 'change.about')}
      action={say(isNew ? 'keys.new' : 'change.save')}
      method={isNew ? 'POST' : 'PATCH'}
      path={isNew ? '/admin/v1/keys' : `/admin/v1/keys/${changed.id}`}
      body={isNew ? { account_id: accountId, mode, ...settings } : settings}
      affects={[KEYS]}
      onDone={onDone}
      onClose={onClose}
    >
      {(faultOf) => (
        <FieldInputs
          fields={fields}
          changed={changed}
          faultOf={faultOf}
          onChange={(changes) => setFields({ ...fields, ...changes })}
        />
      )}
    </ChangeDialog>
  );
}

interface FieldInputsProps {
  fields: Fields;
  changed: ApiKey | undefined;
  faultOf: FaultOf;
  onChange(changes: Fields): void;
}

function FieldInputs({ fields, changed, faultOf, onChange }: FieldInputsProps) {
  return (
    <>
      <TextInput
        label={say('name')}
        maxLength={NAME_MAX_CHARACTERS}
        value={fields.name ?? ''}
        error={faultOf('name')}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        data-autofocus
      />
      {changed === undefined && (
        <SegmentedControl
          aria-label={say('mode')}
          data={(['live', 'test'] as const).map((value) => ({ value, label: say(`mode.${value}`) }))}
          value={fields.mode ?? 'live'}
          onChange={(mode) => onChange({ mode: mode as 'live' | 'test' })}
        />
      )}
      <SegmentedControl
        aria-label={say('scope')}
        data={SCOPES.map((value) => ({ value, label: say(`scope.${value}`) }))}
        value={fields.scope ?? 'account'}
        onChange={(scope) => onChange({ scope: scope as Scope })}
      />
      <MultiSelect
        label={say('families')}
        placeholder={say('uses.all')}
        data={FAMILIES}
        value={fields.families ?? []}
        error={faultOf('families')}
        clearButtonProps={{ 'aria-label': sayFrame('close') }}
        onChange={(families) => onChange({ families: families as Family[] })}
      />
      <TextInput
        label={say('models')}
        placeholder={say('uses.all')}
        description={say('models.about')}
        defaultValue={fields.models?.join(' ')}
        error={faultOf('models')}
        onChange={({ currentTarget }) => onChange({ models: currentTarget.value.split(/[\s,]+/).filter(Boolean) })}
      />
      <div className={classes.pairs}>
        {NUMBERS.map(({ name, decimals, least, fallback }) => (
          <NumberField
            key={name}
            label={say(`limit.${name}`)}
            placeholder={fallback === undefined ? say('limits.none') : String(changed?.[name] ?? fallback)}
            min={least}
            decimalScale={decimals}
            value={fields[name] ?? ''}
            error={faultOf(name)}
            onChange={(value) =>
              onChange({ [name]: value === '' ? (fallback === undefined ? null : undefined) : value })
            }
          />
        ))}
      </div>
      <TextInput
        type="date"
        label={say('expires')}
        value={dayOf(fields.expires_at)}
        error={faultOf('expires_at')}
        onChange={({ currentTarget }) => onChange({ expires_at: endOf(currentTarget.value) })}
      />
      <Checkbox
        label={say('manage')}
        checked={fields.manage ?? false}
        error={faultOf('manage')}
        onChange={({ currentTarget }) => onChange({ manage: currentTarget.checked })}
      />
    </>
  );
}

function fieldsOf(key: ApiKey | undefined): Fields {
  if (key === undefined) return { name: '', mode: 'live', scope: 'account' };
  const { name, scope, quota, families, models, submit_per_minute, query_per_minute, max_concurrent, expires_at } = key;
  return {
    name,
    scope: scope as Scope,
    quota,
    families: families as Family[],
    models,
    submit_per_minute,
    query_per_minute,
    max_concurrent,
    expires_at,
    manage: key.manage,
  };
}

function dayOf(seconds: number | null | undefined): string {
  return typeof seconds === 'number' ? new Date((seconds - 1) * 1000).toISOString().slice(0, 10) : '';
}

/** The end of the day, in UTC. */
function endOf(day: string): number | null {
  return day === '' ? null : Date.parse(`${day}T00:00:00Z`) / 1000 + DAY_SECONDS;
}
