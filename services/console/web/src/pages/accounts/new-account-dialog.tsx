import { useNavigate } from 'react-router';
import type { Account } from '../../api/account.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { say } from './texts.ts';

/** Opens an account, and leads to it. */
export function NewAccountDialog({ onClose }: { onClose(): void }) {
  const form = useForm({ name: '' });
  const name = form.values.name.trim();
  const navigate = useNavigate();
  return (
    <ChangeDialog<Account>
      title={say('new')}
      about={say('new.about')}
      action={say('new')}
      path="/admin/v1/accounts"
      body={{ name }}
      affects={['accounts']}
      disabled={name === ''}
      onDone={({ id }) => void navigate(`/accounts/${id}`)}
      onClose={onClose}
    >
      {fieldsOf(form, [{ kind: 'text', name: 'name', label: say('column.name'), maxLength: 200 }])}
    </ChangeDialog>
  );
}
