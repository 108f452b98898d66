import { MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelIdsQuery } from '../../api/model-ids.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import classes from './key-dialog.module.css';
import { type ApiKey, KEYS, type KeyFields } from './queries.ts';
import { say } from './texts.ts';

/** How much of its account a key sees. */
const SCOPES = ['own', 'account'] as const;
type Scope = (typeof SCOPES)[number];
const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'] as const;
/** `fallback`: what a new key has where nothing is chosen; it cannot be lifted, and empty leaves it as it is. */
const NUMBERS = [
  { name: 'quota', decimals: 9, least: 0, fallback: undefined },
  { name: 'max_concurrent', decimals: 0, least: 1, fallback: undefined },
  { name: 'submit_per_minute', decimals: 0, least: 1, fallback: 300 },
  { name: 'query_per_minute', decimals: 0, least: 1, fallback: 3000 },
] as const;
const NAME_MAX_CHARACTERS = 200;
const DAY_SECONDS = 86_400;

interface KeyDialogProps {
  /** Absent: a new one is made. */
  changed: ApiKey | undefined;
  onDone(key: ApiKey): void;
  onClose(): void;
}

/** Makes or changes a key. */
export function KeyDialog({ changed, onDone, onClose }: KeyDialogProps) {
  const [fields, setFields] = useState<KeyFields>(() => fieldsOf(changed));
  const isNew = changed === undefined;
  const { mode, ...settings } = fields;
  return (
    <ChangeDialog<ApiKey>
      title={isNew ? say('new') : say('change')}
      about={say(isNew ? 'new.about' : 'change.about')}
      action={isNew ? say('new') : sayFrame('save')}
      asksReason={false}
      method={isNew ? 'POST' : 'PATCH'}
      path={isNew ? '/v1/keys' : `/v1/keys/${changed.id}`}
      // The mode is for good.
      body={isNew ? fields : settings}
      affects={KEYS}
      onDone={onDone}
      onClose={onClose}
    >
      {(faultOf) => (
        <Fields
          fields={fields}
          changed={changed}
          faultOf={faultOf}
          onChange={(changes) => setFields({ ...fields, ...changes })}
        />
      )}
    </ChangeDialog>
  );
}

interface FieldsProps {
  fields: KeyFields;
  changed: ApiKey | undefined;
  faultOf: FaultOf;
  onChange(changes: KeyFields): void;
}

function Fields({ fields, changed, faultOf, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        label={say('name')}
        maxLength={NAME_MAX_CHARACTERS}
        value={fields.name ?? ''}
        error={faultOf('name')}
        data-autofocus
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
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
        placeholder={say('all')}
        data={FAMILIES}
        value={fields.families ?? []}
        error={faultOf('families')}
        clearButtonProps={{ 'aria-label': sayFrame('close') }}
        onChange={(families) => onChange({ families: families as NonNullable<KeyFields['families']> })}
      />
      <Models chosen={fields.models ?? []} fault={faultOf('models')} onChange={(models) => onChange({ models })} />
      <Limits fields={fields} changed={changed} faultOf={faultOf} onChange={onChange} />
      <TextInput
        type="date"
        label={say('expires')}
        min={new Date().toISOString().slice(0, 10)}
        value={dayOf(fields.expires_at)}
        error={faultOf('expires_at')}
        onChange={({ currentTarget }) => onChange({ expires_at: endOf(currentTarget.value) })}
      />
    </>
  );
}

function Limits({ fields, changed, faultOf, onChange }: FieldsProps) {
  return (
    <div className={classes.pairs}>
      {NUMBERS.map(({ name, decimals, least, fallback }) => (
        <NumberField
          key={name}
          label={say(`limit.${name}`)}
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

interface ModelsProps {
  chosen: string[];
  fault: string | undefined;
  onChange(models: string[]): void;
}

function Models({ chosen, fault, onChange }: ModelsProps) {
  const { data = [] } = useQuery(modelIdsQuery);
  return (
    <MultiSelect
      label={say('models')}
      placeholder={say('all')}
      searchable
      data={[...new Set([...data, ...chosen])]}
      value={chosen}
      error={fault}
      clearButtonProps={{ 'aria-label': sayFrame('close') }}
      onChange={onChange}
    />
  );
}

function fieldsOf(key: ApiKey | undefined): KeyFields {
  if (key === undefined) return { name: '', mode: 'live', scope: 'account' };
  const { name, scope, quota, families, models, submit_per_minute, query_per_minute, max_concurrent, expires_at } = key;
  return {
    name,
    scope: scope as Scope,
    quota,
    families: families as NonNullable<KeyFields['families']>,
    models,
    submit_per_minute,
    query_per_minute,
    max_concurrent,
    expires_at,
  };
}

function dayOf(seconds: number | null | undefined): string {
  return typeof seconds === 'number' ? new Date((seconds - 1) * 1000).toISOString().slice(0, 10) : '';
}

/** The end of the day, in UTC. */
function endOf(day: string): number | null {
  return day === '' ? null : Date.parse(`${day}T00:00:00Z`) / 1000 + DAY_SECONDS;
}
