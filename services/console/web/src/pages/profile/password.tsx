import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { request } from '../../api/request.ts';
import { faultText } from '../../parts/failure.tsx';
import { notify } from '../../parts/notices.tsx';
import { Panel } from '../../parts/panel.tsx';
import { submitted } from '../../parts/submitted.ts';
import classes from './profile-page.module.css';
import { proofFault, sessionsQuery } from './queries.ts';
import { say } from './texts.ts';

const OF_NEW = ['password_too_short', 'password_too_long', 'password_guessable'];

/** Asks for the current one: a browser that was left open is not enough. */
export function Password() {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({
    mutationFn: (body: object) => request('/users/me/password', { method: 'POST', body }),
    onSuccess: () => {
      form.current?.reset();
      notify(say('password.done'));
      return queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  const submit = submitted((fields) => save.mutate(Object.fromEntries(fields)));
  const currentFault = proofFault(save.error, ['bad_credentials']);
  const newFault = proofFault(save.error, OF_NEW);
  return (
    <Panel title={say('password')}>
      <form ref={form} className={`stack ${classes.form}`} onSubmit={submit}>
        <p className="quiet">{say('password.about')}</p>
        {save.error && currentFault === undefined && newFault === undefined && (
          <p role="alert">{faultText(save.error)}</p>
        )}
        <PasswordInput
          label={say('password.current')}
          name="current_password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          error={currentFault}
          visibilityToggleButtonProps={{ 'aria-label': say('password.show') }}
        />
        <PasswordInput
          label={say('password.new')}
          description={say('password.rule')}
          name="password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={newFault}
          visibilityToggleButtonProps={{ 'aria-label': say('password.show') }}
        />
        <Button type="submit" size="sm" variant="default" loading={save.isPending}>
          {say('password.change')}
        </Button>
      </form>
    </Panel>
  );
}
