import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Account } from '../../api/account.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { say } from './texts.ts';

const NAME_MAX_CHARACTERS = 200;

/** Opens an account, and leads to it. */
export function NewAccountDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  return (
    <ChangeDialog<Account>
      title={say('new')}
      about={say('new.about')}
      action={say('new')}
      path="/admin/v1/accounts"
      body={{ name: name.trim() }}
      affects={['accounts']}
      disabled={name.trim() === ''}
      onDone={({ id }) => void navigate(`/accounts/${id}`)}
      onClose={onClose}
    >
      {(faultOf) => (
        <TextInput
          label={say('column.name')}
          maxLength={NAME_MAX_CHARACTERS}
          value={name}
          error={faultOf('name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
      )}
    </ChangeDialog>
  );
}
