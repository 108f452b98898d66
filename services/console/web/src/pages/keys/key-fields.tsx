import { MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../../api/generated/api.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import type { FaultOf } from '../../parts/change-dialog.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import classes from './key-fields.module.css';
import { say } from './texts.ts';

type ApiKey = components['schemas']['ApiKey'];
/** The fields of a key that both its holder and operators may set. */
export type KeyFields = components['schemas']['Bodies']['createKey'];
type Family = NonNullable<KeyFields['families']>[number];
/** How much of its account a key sees. */
type Scope = NonNullable<KeyFields['scope']>;

interface KeyInputsProps {
  fields: KeyFields;
  /** Undefined: a new one is made. */
  changed: ApiKey | undefined;
  faultOf: FaultOf;
  onChange(changes: KeyFields): void;
  /** The input of models. */
  children: ReactNode;
}

const SCOPES = ['own', 'account'] as const;
const MODES = ['live', 'test'] as const;
const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'] as const;
const NAME_MAX_CHARACTERS = 200;
const DAY_SECONDS = 86_400;

export function KeyInputs({ fields, changed, faultOf, onChange, children }: KeyInputsProps) {
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
          data={MODES.map((value) => ({ value, label: say(`mode.${value}`) }))}
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
        placeholder={say('all')}
        data={FAMILIES}
        value={fields.families ?? []}
        error={faultOf('families')}
        clearButtonProps={{ 'aria-label': sayFrame('close') }}
        onChange={(families) => onChange({ families: families as Family[] })}
      />
      {children}
      <Limits fields={fields} changed={changed} faultOf={faultOf} onChange={onChange} />
      <TextInput
        type="date"
        label={say('expires')}
        value={dayOf(fields.expires_at)}
        error={faultOf('expires_at')}
        onChange={({ currentTarget }) => onChange({ expires_at: endOf(currentTarget.value) })}
      />
    </>
  );
}

/** `fallback`: what a new key has where nothing is chosen; it cannot be lifted, and empty leaves it as it is. */
const NUMBERS = [
  { name: 'quota', decimals: 9, least: 0, fallback: undefined },
  { name: 'max_concurrent', decimals: 0, least: 1, fallback: undefined },
  { name: 'submit_per_minute', decimals: 0, least: 1, fallback: 300 },
  { name: 'query_per_minute', decimals: 0, least: 1, fallback: 3000 },
] as const;

function Limits({ fields, changed, faultOf, onChange }: Omit<KeyInputsProps, 'children'>) {
  return (
    <div className={classes.pairs}>
      {NUMBERS.map(({ name, decimals, least, fallback }) => (
        <NumberField
          key={name}
          label={say(`limit.${name}`)}
          description={name === 'quota' && changed && say('limit.quota.used', { used: exactMoney(changed.quota_used) })}
          placeholder={fallback === undefined ? say('limit.none') : String(changed?.[name] ?? fallback)}
          min={least}
          decimalScale={decimals}
          value={fields[name] ?? ''}
          error={faultOf(name)}
          onChange={(value) => onChange({ [name]: value === '' ? (fallback === undefined ? null : undefined) : value })}
        />
      ))}
    </div>
  );
}

/** The fields of a key as it is, or those that a new one begins with. */
export function keyFieldsOf(key: ApiKey | undefined): KeyFields {
  if (key === undefined) return { name: '', mode: 'live', scope: 'account' };
  const { name, scope, quota, families, models, submit_per_minute, query_per_minute, max_concurrent, expires_at } = key;
  const limits = { quota, submit_per_minute, query_per_minute, max_concurrent, expires_at };
  return { name, scope: scope as Scope, families: families as Family[], models, ...limits };
}

function dayOf(seconds: number | null | undefined): string {
  return typeof seconds === 'number' ? new Date((seconds - 1) * 1000).toISOString().slice(0, 10) : '';
}

/** The end of the day, in UTC. */
function endOf(day: string): number | null {
  return day === '' ? null : Date.parse(`${day}T00:00:00Z`) / 1000 + DAY_SECONDS;
}
