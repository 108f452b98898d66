import { Alert, Button, Modal, MultiSelect, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { modelIdsQuery } from '../../api/model-ids.ts';
import { RepeatKey } from '../../api/repeat-key.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { faultText } from '../../parts/failure.tsx';
import classes from './key-dialog.module.css';
import { type ApiKey, changeKey, createKey, KEYS, type KeyFields } from './queries.ts';
import { say } from './texts.ts';

const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'] as const;
const DAY_SECONDS = 86_400;

interface KeyDialogProps {
  /** Absent: a new one is made. */
  changed: ApiKey | undefined;
  onClose(): void;
}

/** Makes or changes a key. The secret of a new one is shown here, this once. */
export function KeyDialog({ changed, onClose }: KeyDialogProps) {
  const queries = useQueryClient();
  const [fields, setFields] = useState<KeyFields>(() => fieldsOf(changed));
  const [repeatKey] = useState(() => new RepeatKey());
  const save = useMutation({
    mutationFn: () => (changed === undefined ? createKey(fields, repeatKey) : changeKey(changed.id, fields)),
    onSuccess: ({ key }) => {
      if (key === undefined) onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const secret = save.data?.key;
  return (
    <Modal
      opened
      onClose={onClose}
      // A click beside it would lose the secret.
      closeOnClickOutside={secret === undefined}
      title={changed === undefined ? say('new') : say('change')}
      closeButtonProps={{ 'aria-label': sayFrame('close') }}
    >
      {secret === undefined ? (
        <form className="stack" onSubmit={submit}>
          {save.error && (
            <Alert color="red" variant="light" role="alert">
              {faultText(save.error)}
            </Alert>
          )}
          <Fields fields={fields} isNew={changed === undefined} onChange={setFields} />
          <Button type="submit" size="sm" loading={save.isPending}>
            {changed === undefined ? say('new') : sayFrame('save')}
          </Button>
        </form>
      ) : (
        <Secret secret={secret} onClose={onClose} />
      )}
    </Modal>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <div className="stack">
      <p className={classes.note}>{say('secret.about')}</p>
      <CodeBlock code={secret} />
      <Button size="sm" onClick={onClose}>
        {say('secret.kept')}
      </Button>
    </div>
  );
}

interface FieldsProps {
  fields: KeyFields;
  isNew: boolean;
  onChange(fields: KeyFields): void;
}

function Fields({ fields, isNew, onChange }: FieldsProps) {
  const set = (changes: Partial<KeyFields>) => onChange({ ...fields, ...changes });
  return (
    <>
      <TextInput
        label={say('name')}
        maxLength={200}
        value={fields.name ?? ''}
        data-autofocus
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      {isNew && (
        <SegmentedControl
          aria-label={say('mode')}
          data={[
            { value: 'live', label: say('mode.live') },
            { value: 'test', label: say('mode.test') },
          ]}
          value={fields.mode ?? 'live'}
          onChange={(mode) => set({ mode: mode as 'live' | 'test' })}
        />
      )}
      <MultiSelect
        label={say('families')}
        placeholder={say('all')}
        data={FAMILIES}
        value={fields.families ?? []}
        clearButtonProps={{ 'aria-label': sayFrame('close') }}
        onChange={(families) => set({ families: families as NonNullable<KeyFields['families']> })}
      />
      <Models chosen={fields.models ?? []} onChange={(models) => set({ models })} />
      <NumberInput
        label={say('quota')}
        description={say('quota.about')}
        min={0}
        decimalScale={9}
        value={fields.quota ?? ''}
        onChange={(quota) => set({ quota: quota === '' ? null : Number(quota) })}
      />
      <div className={classes.pair}>
        <NumberInput
          label={say('perMinute')}
          min={1}
          allowDecimal={false}
          value={fields.submit_per_minute ?? ''}
          onChange={(value) => set(value === '' ? {} : { submit_per_minute: Number(value) })}
        />
        <NumberInput
          label={say('atOnce')}
          min={1}
          allowDecimal={false}
          value={fields.max_concurrent ?? ''}
          onChange={(value) => set({ max_concurrent: value === '' ? null : Number(value) })}
        />
      </div>
      <TextInput
        type="date"
        label={say('expires')}
        min={new Date().toISOString().slice(0, 10)}
        value={dayOf(fields.expires_at)}
        onChange={({ currentTarget }) => set({ expires_at: endOf(currentTarget.value) })}
      />
    </>
  );
}

function Models({ chosen, onChange }: { chosen: string[]; onChange(models: string[]): void }) {
  const { data = [] } = useQuery(modelIdsQuery);
  return (
    <MultiSelect
      label={say('models')}
      placeholder={say('all')}
      searchable
      data={[...new Set([...data, ...chosen])]}
      value={chosen}
      clearButtonProps={{ 'aria-label': sayFrame('close') }}
      onChange={onChange}
    />
  );
}

function fieldsOf(key: ApiKey | undefined): KeyFields {
  if (key === undefined) return { name: '', mode: 'live' };
  const { name, quota, families, models, submit_per_minute, max_concurrent, expires_at } = key;
  return {
    name,
    quota,
    families: families as NonNullable<KeyFields['families']>,
    models,
    submit_per_minute,
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
