import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelIdsQuery } from '../../api/model-ids.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { type KeyFields, KeyInputs, keyFieldsOf } from './key-fields.tsx';
import { type ApiKey, KEYS } from './queries.ts';
import { say } from './texts.ts';

interface KeyDialogProps {
  /** Absent: a new one is made. */
  changed: ApiKey | undefined;
  onDone(key: ApiKey): void;
  onClose(): void;
}

/** Makes or changes a key. */
export function KeyDialog({ changed, onDone, onClose }: KeyDialogProps) {
  const [fields, setFields] = useState<KeyFields>(() => keyFieldsOf(changed));
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
        <KeyInputs
          fields={fields}
          changed={changed}
          faultOf={faultOf}
          onChange={(changes) => setFields({ ...fields, ...changes })}
        >
          <Models
            chosen={fields.models ?? []}
            fault={faultOf('models')}
            onChange={(models) => setFields({ ...fields, models })}
          />
        </KeyInputs>
      )}
    </ChangeDialog>
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
