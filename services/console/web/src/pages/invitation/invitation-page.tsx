import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { request } from '../../api/request.ts';
import { Failure, faultText } from '../../parts/failure.tsx';
import { submitted } from '../../parts/submitted.ts';
import { useTitle } from '../../parts/use-title.ts';
import classes from './invitation-page.module.css';
import { say } from './texts.ts';

interface Invited {
  email: string;
  name: string;
  /** Null: they become an operator. */
  account_id: string | null;
}

const PASSWORD_MIN_CHARACTERS = 12;

export default function InvitationPage() {
  const [token] = useState(() => encodeURIComponent(location.hash.slice(1)));
  const [accepted, setAccepted] = useState(false);
  const invited = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await request<{ data: Invited }>(`/invitations/${token}`)).data,
    // An accepted invitation is not there any more.
    enabled: !accepted,
    retry: false,
  });
  useTitle(say('title'));
  return (
    <main className={classes.page}>
      {invited.error && <Failure error={invited.error} />}
      {accepted && (
        <p>
          {say('done')} <a href={signInPath(invited.data)}>{say('signIn')}</a>
        </p>
      )}
      {invited.data !== undefined && !accepted && (
        <AcceptForm token={token} invited={invited.data} onDone={() => setAccepted(true)} />
      )}
    </main>
  );
}

/** The sign-in of the invited user's account: others may have the same address. The sign-in reads it once, as the page is loaded. */
function signInPath(invited: Invited | undefined): string {
  return invited === undefined ? '/' : `/?account=${encodeURIComponent(invited.account_id ?? 'operators')}`;
}

interface AcceptFormProps {
  token: string;
  invited: Invited;
  onDone(): void;
}

function AcceptForm({ token, invited: { email, name }, onDone }: AcceptFormProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: object) => request(`/invitations/${token}`, { method: 'POST', body }),
    onSuccess: onDone,
  });
  const isOfPassword = error instanceof ApiError && error.reason.startsWith('password_');
  const submit = submitted((fields) => mutate(Object.fromEntries(fields)));
  return (
    <form className={classes.form} onSubmit={submit}>
      <h1>{say('title')}</h1>
      <span className="quiet">{email}</span>
      {error && !isOfPassword && (
        <Alert color="red" variant="light" role="alert">
          {faultText(error)}
        </Alert>
      )}
      <TextInput label={say('name')} name="name" autoComplete="name" defaultValue={name} required />
      <PasswordInput
        label={say('password')}
        description={say('password.about', { count: PASSWORD_MIN_CHARACTERS })}
        name="password"
        autoComplete="new-password"
        minLength={PASSWORD_MIN_CHARACTERS}
        error={isOfPassword && faultText(error)}
        visibilityToggleButtonProps={{ 'aria-label': say('password.show') }}
        required
      />
      <Button type="submit" size="sm" loading={isPending}>
        {say('submit')}
      </Button>
    </form>
  );
}
