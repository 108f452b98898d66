import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { notify } from '../../parts/notices.tsx';
import { type InvitedUser, rolesOf, USERS, type User, usersPath } from './queries.ts';
import { say } from './texts.ts';

interface UserDialogProps {
  own: SessionUser;
  /** Undefined: a new one is invited. */
  changed: User | undefined;
  onInvited(user: InvitedUser): void;
  onClose(): void;
}

interface Values {
  kind: User['kind'];
  email: string;
  name: string;
  role: string;
  account_id: string;
}

/** Invites somebody, or changes name and role. */
export function UserDialog({ own, changed, onInvited, onClose }: UserDialogProps) {
  const [values, setValues] = useState<Values>(() => valuesOf(own, changed));
  const set = (changes: Partial<Values>) => setValues({ ...values, ...changes });
  const path = usersPath(own);
  return (
    <ChangeDialog<InvitedUser>
      title={changed === undefined ? say('invite') : `${say('change.action')} · ${changed.name}`}
      about={changed === undefined ? say('invite.new.about') : say('change.about')}
      action={changed === undefined ? say('invite') : say('change.action')}
      method={changed === undefined ? 'POST' : 'PATCH'}
      path={changed === undefined ? path : `${path}/${encodeURIComponent(changed.id)}`}
      body={bodyOf(values, { own, changed })}
      affects={[USERS, 'log']}
      onDone={(user) => {
        if (changed === undefined) return onInvited(user);
        notify(say('done', { name: user.name }));
        onClose();
      }}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          {changed === undefined && <WhoFields own={own} values={values} faultOf={faultOf} onChange={set} />}
          <TextInput
            label={say('name')}
            required
            withAsterisk={false}
            maxLength={200}
            value={values.name}
            error={faultOf('name')}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <Select
            label={say('column.role')}
            description={say(`role.${values.role as 'read'}.about`)}
            allowDeselect={false}
            data={rolesOf(values.kind).map((role) => ({ value: role, label: say(`role.${role}` as 'role.read') }))}
            value={values.role}
            error={faultOf('role')}
            onChange={(role) => set({ role: role ?? '' })}
          />
        </>
      )}
    </ChangeDialog>
  );
}

interface WhoFieldsProps {
  own: SessionUser;
  values: Values;
  faultOf: FaultOf;
  onChange(changes: Partial<Values>): void;
}

function WhoFields({ own, values, faultOf, onChange }: WhoFieldsProps) {
  return (
    <>
      {own.kind === 'operator' && (
        <SegmentedControl
          aria-label={say('kind')}
          data={(['operator', 'account'] as const).map((kind) => ({ value: kind, label: say(`kind.${kind}`) }))}
          value={values.kind}
          onChange={(kind) => onChange({ kind: kind as User['kind'], role: rolesOf(kind as User['kind'])[0] ?? '' })}
        />
      )}
      {own.kind === 'operator' && values.kind === 'account' && (
        <TextInput
          label={say('account')}
          placeholder="acct_…"
          required
          withAsterisk={false}
          value={values.account_id}
          error={faultOf('account_id')}
          onChange={({ currentTarget }) => onChange({ account_id: currentTarget.value })}
        />
      )}
      <TextInput
        label={say('email')}
        type="email"
        required
        withAsterisk={false}
        maxLength={200}
        value={values.email}
        error={faultOf('email')}
        data-autofocus
        onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
      />
    </>
  );
}

function valuesOf(own: SessionUser, changed: User | undefined): Values {
  const kind = changed?.kind ?? own.kind;
  const role = changed?.role ?? (kind === 'operator' ? 'support' : 'developer');
  return { kind, role, email: '', name: changed?.name ?? '', account_id: '' };
}

function bodyOf(
  { kind, email, name, role, account_id }: Values,
  { own, changed }: Pick<UserDialogProps, 'own' | 'changed'>,
) {
  if (changed !== undefined) return { name, role };
  const place = own.kind === 'operator' && kind === 'account' ? { account_id: account_id.trim() } : {};
  return { email: email.trim(), name, role, ...place };
}
