import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { Failure, faultText } from '../../parts/failure.tsx';
import classes from './invitation-page.module.css';
import { say } from './texts.ts';

interface Invited {
  email: string;
  name: string;
}

const PASSWORD_MIN_CHARACTERS = 12;

export default function InvitationPage() {
  const [token] = useState(() => encodeURIComponent(location.hash.slice(1)));
  const invited = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await request<{ data: Invited }>(`/invitations/${token}`)).data,
    retry: false,
  });
  const accept = useMutation({
    mutationFn: (body: object) => request(`/invitations/${token}`, { method: 'POST', body }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    accept.mutate(Object.fromEntries(new FormData(event.currentTarget)));
  };
  return (
    <main className={classes.page}>
      {invited.error && <Failure error={invited.error} />}
      {accept.isSuccess && (
        <p>
          {say('done')} <Link to="/">{say('signIn')}</Link>
        </p>
      )}
      {invited.data !== undefined && !accept.isSuccess && (
        <form className={classes.form} onSubmit={submit}>
          <h1>{say('title')}</h1>
          <span className="quiet">{invited.data.email}</span>
          {accept.error && (
            <Alert color="red" variant="light" role="alert">
              {faultText(accept.error)}
            </Alert>
          )}
          <TextInput label={say('name')} name="name" autoComplete="name" defaultValue={invited.data.name} required />
          <PasswordInput
            label={say('password')}
            description={say('password.about', { count: PASSWORD_MIN_CHARACTERS })}
            name="password"
            autoComplete="new-password"
            minLength={PASSWORD_MIN_CHARACTERS}
            visibilityToggleButtonProps={{ 'aria-label': say('password.show') }}
            required
          />
          <Button type="submit" size="sm" loading={accept.isPending}>
            {say('submit')}
          </Button>
        </form>
      )}
    </main>
  );
}
