import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '../../api/generated/api.ts';
import { modelIdsQuery } from '../../api/model-ids.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { endingOf, keysPath } from './end-key.ts';
import { KeyInputs, keyFieldsOf } from './key-fields.tsx';
import { type ApiKey, KEYS } from './queries.ts';
import { say } from './texts.ts';

export type KeyAction = 'change' | 'rotate' | 'revoke';
/** Holders replace no secret: they make a new key. */
export type OwnKeyAction = Exclude<KeyAction, 'rotate'>;

/** The dialog that is open: of a new key, of an action on one, or of the secret that was just made. */
export type OpenedKey<Action = KeyAction> =
  | { action: 'new' }
  | { action: Action; key: ApiKey }
  | { action: 'shown'; secret: string };

/** Fields of a key; holders do not set `manage`. */
type Fields = Omit<components['schemas']['Bodies']['adminCreateKey'], 'account_id' | 'reason'>;

interface OperatorsKeyDialogs {
  opened: OpenedKey;
  /** The account whose keys operators manage, with a reason; absent: they are the reader's own. */
  accountId: string;
}

interface OwnKeyDialogs {
  opened: OpenedKey<OwnKeyAction>;
  accountId?: undefined;
}

type KeyDialogsProps = (OperatorsKeyDialogs | OwnKeyDialogs) & {
  /** Undefined: none. */
  onOpen(opened: OpenedKey<OwnKeyAction> | undefined): void;
};

export function KeyDialogs({ opened, accountId, onOpen }: KeyDialogsProps) {
  const close = () => onOpen(undefined);
  const finish = ({ key }: ApiKey) => onOpen(key === undefined ? undefined : { action: 'shown', secret: key });
  const props = { accountId, onDone: finish, onClose: close };
  switch (opened.action) {
    case 'new':
      return <KeyDialog changed={undefined} {...props} />;
    case 'change':
      return <KeyDialog changed={opened.key} {...props} />;
    case 'shown':
      return (
        <SecretDialog
          secret={opened.secret}
          title={say('secret')}
          about={say('secret.about')}
          kept={say('secret.kept')}
          onClose={close}
        />
      );
    default:
      return <EndKeyDialog apiKey={opened.key} action={opened.action} {...props} />;
  }
}

interface DialogProps {
  accountId: string | undefined;
  onDone(key: ApiKey): void;
  onClose(): void;
}

/** Makes a key, or changes what one may do. */
function KeyDialog({ accountId, changed, ...ends }: DialogProps & { changed: ApiKey | undefined }) {
  const isOwn = accountId === undefined;
  const [fields, setFields] = useState<Fields>(() => ({
    ...keyFieldsOf(changed),
    ...(changed && !isOwn && { manage: changed.manage }),
  }));
  const set = (changes: Fields) => setFields({ ...fields, ...changes });
  const isNew = changed === undefined;
  // The mode is for good.
  const { mode, ...settings } = fields;
  const body = isNew ? { ...(!isOwn && { account_id: accountId }), mode, ...settings } : settings;
  const ModelsInput = isOwn ? OfferedModels : TypedModels;
  return (
    <ChangeDialog<ApiKey>
      title={isNew ? say('new') : say('change.one', { name: changed.name || changed.id })}
      about={say(isNew ? 'new.about' : 'change.about')}
      action={say(isNew ? 'new' : 'change.save')}
      asksReason={!isOwn}
      method={isNew ? 'POST' : 'PATCH'}
      path={`${keysPath(accountId)}${isNew ? '' : `/${changed.id}`}`}
      body={body}
      affects={KEYS}
      {...ends}
    >
      {(faultOf) => (
        <>
          <KeyInputs fields={fields} changed={changed} faultOf={faultOf} onChange={set}>
            <ModelsInput chosen={fields.models ?? []} faultOf={faultOf} onChange={(models) => set({ models })} />
          </KeyInputs>
          {!isOwn && (
            <Checkbox
              label={say('manage')}
              checked={fields.manage ?? false}
              error={faultOf('manage')}
              onChange={({ currentTarget }) => set({ manage: currentTarget.checked })}
            />
          )}
        </>
      )}
    </ChangeDialog>
  );
}

interface ModelsProps {
  chosen: string[];
  faultOf: FaultOf;
  onChange(models: string[]): void;
}

function OfferedModels({ chosen, faultOf, onChange }: ModelsProps) {
  const { data = [] } = useQuery(modelIdsQuery);
  return (
    <MultiSelect
      label={say('models')}
      placeholder={say('all')}
      searchable
      data={[...new Set([...data, ...chosen])]}
      value={chosen}
      error={faultOf('models')}
      clearButtonProps={{ 'aria-label': sayFrame('close') }}
      onChange={onChange}
    />
  );
}

/** Operators have no list of the models that an account is offered. */
function TypedModels({ chosen, faultOf, onChange }: ModelsProps) {
  return (
    <TextInput
      label={say('models')}
      placeholder={say('all')}
      description={say('models.about')}
      defaultValue={chosen.join(' ')}
      error={faultOf('models')}
      onChange={({ currentTarget }) => onChange(currentTarget.value.split(/[\s,]+/).filter(Boolean))}
    />
  );
}

function EndKeyDialog({
  apiKey: { id, name },
  action,
  accountId,
  ...ends
}: DialogProps & { apiKey: ApiKey; action: 'rotate' | 'revoke' }) {
  const names = { name: name || id };
  return (
    <ChangeDialog<ApiKey>
      title={say(`${action}.title`, names)}
      about={say(`${action}.about`)}
      action={say(action)}
      dangerous
      asksReason={accountId !== undefined}
      {...endingOf(id, { action, accountId })}
      affects={KEYS}
      done={say(`${action}.done`, names)}
      {...ends}
    />
  );
}
