import type { SessionUser } from '../../api/session.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { type Field, fieldsOf, useForm } from '../../parts/fields.tsx';
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
  const { values, change } = useForm(valuesOf(own, changed));
  // The roles are those of the kind.
  const set = (changes: Partial<Values>) =>
    change(changes.kind === undefined ? changes : { ...changes, role: rolesOf(changes.kind)[0] ?? '' });
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
      {fieldsOf({ values, change: set }, [
        ...(changed === undefined ? whoFields(own, values) : []),
        { kind: 'text', name: 'name', label: say('name'), maxLength: 200, required: true },
        {
          kind: 'select',
          name: 'role',
          label: say('column.role'),
          about: say(`role.${values.role as 'read'}.about`),
          words: rolesOf(values.kind).map((value) => ({ value, label: say(`role.${value}` as 'role.read') })),
        },
      ])}
    </ChangeDialog>
  );
}

/** Says who is invited: operators also invite the users of accounts. */
function whoFields(own: SessionUser, { kind }: Values): (Field<Values> | false)[] {
  const isOperator = own.kind === 'operator';
  const kinds = (['operator', 'account'] as const).map((value) => ({ value, label: say(`kind.${value}`) }));
  const account = { kind: 'text', name: 'account_id', label: say('account'), required: true } as const;
  return [
    isOperator && { kind: 'choice', name: 'kind', label: say('kind'), labelHidden: true, words: kinds },
    isOperator && kind === 'account' && { ...account, placeholder: 'acct_…' },
    { kind: 'text', name: 'email', label: say('email'), type: 'email', maxLength: 200, required: true },
  ];
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
