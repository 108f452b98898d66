import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import { sessionQuery } from '../../api/session.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { Panel } from '../../parts/panel.tsx';
import { submitted } from '../../parts/submitted.ts';
import classes from './profile-page.module.css';
import { type OwnUser, ownQuery } from './queries.ts';
import { say } from './texts.ts';

export function Who({ own }: { own: OwnUser }) {
  const queries = useQueryClient();
  const [name, setName] = useState(own.name);
  const rename = useMutation({
    mutationFn: () => request('/users/me', { method: 'PATCH', body: { name: name.trim() } }),
    onSuccess: () => notify(say('name.done')),
    onError: notifyFailure,
    onSettled: () =>
      Promise.all([ownQuery, sessionQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey }))),
  });
  const submit = submitted(() => rename.mutate());
  return (
    <Panel title={say('who')}>
      <div className="stack">
        <FactList
          facts={[
            [say('email'), own.email],
            [say('role'), say(`role.${own.role as 'read'}`)],
            own.account_name !== null && [say('account'), own.account_name],
          ]}
        />
        <form className={classes.line} onSubmit={submit}>
          <TextInput
            label={say('name')}
            autoComplete="name"
            maxLength={200}
            required
            withAsterisk={false}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button
            type="submit"
            size="sm"
            variant="default"
            disabled={name.trim() === '' || name === own.name}
            loading={rename.isPending}
          >
            {sayFrame('save')}
          </Button>
        </form>
      </div>
    </Panel>
  );
}
