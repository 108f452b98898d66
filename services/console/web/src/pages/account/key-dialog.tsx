import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/generated/api.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { KeyInputs, keyFieldsOf } from '../keys/key-fields.tsx';
import { say as sayKeys } from '../keys/texts.ts';
import { type ApiKey, KEYS } from './queries.ts';
import { say } from './texts.ts';

type Fields = Omit<components['schemas']['Bodies']['adminCreateKey'], 'account_id' | 'reason'>;

interface KeyDialogProps {
  accountId: string;
  /** Absent: a new one is made. */
  changed?: ApiKey;
  onDone(key: ApiKey): void;
  onClose(): void;
}

/** Issues a key of the account, or changes what one may do. */
export function KeyDialog({ accountId, changed, onDone, onClose }: KeyDialogProps) {
  const [fields, setFields] = useState<Fields>(() => ({
    ...keyFieldsOf(changed),
    ...(changed && { manage: changed.manage }),
  }));
  const set = (changes: Fields) => setFields({ ...fields, ...changes });
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
        <>
          <KeyInputs fields={fields} changed={changed} faultOf={faultOf} onChange={set}>
            <TextInput
              label={sayKeys('models')}
              placeholder={sayKeys('all')}
              description={say('models.about')}
              defaultValue={fields.models?.join(' ')}
              error={faultOf('models')}
              onChange={({ currentTarget }) => set({ models: currentTarget.value.split(/[\s,]+/).filter(Boolean) })}
            />
          </KeyInputs>
          <Checkbox
            label={say('manage')}
            checked={fields.manage ?? false}
            error={faultOf('manage')}
            onChange={({ currentTarget }) => set({ manage: currentTarget.checked })}
          />
        </>
      )}
    </ChangeDialog>
  );
}
