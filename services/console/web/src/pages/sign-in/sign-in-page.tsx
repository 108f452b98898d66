import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Credentials, type Session, sessionQuery, signIn } from '../../api/session.ts';
import logo from '../../frame/logo.svg';
import { faultText } from '../../parts/failure.tsx';
import { submitted } from '../../parts/submitted.ts';
import { useTitle } from '../../parts/use-title.ts';
import { textsOf } from '../../texts/texts.ts';
import { Elsewhere } from './elsewhere.tsx';
import type en from './locales/en.json';
import classes from './sign-in-page.module.css';

const say = textsOf<keyof typeof en>('pages/sign-in');
const WRONG_TOTP = 'totp_wrong';
const TOTP_REASONS: readonly string[] = ['totp_required', WRONG_TOTP];

export default function SignInPage() {
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: (session: Session) => queries.setQueryData(sessionQuery.queryKey, session),
  });
  const [asksTotp, setAsksTotp] = useState(false);
  useTitle(say('title'));
  const reason = error instanceof ApiError ? error.reason : '';
  if (!asksTotp && TOTP_REASONS.includes(reason)) setAsksTotp(true);

  const submit = submitted((fields) => mutate(credentialsOf(fields)));

  return (
    <main className={classes.page}>
      <form className={classes.form} onSubmit={submit}>
        <div className={classes.brand}>
          <img src={logo} width="32" height="32" alt="" />
          <h1>{say('title')}</h1>
        </div>
        {error && reason !== 'totp_required' && (
          <Alert color="red" variant="light" role="alert">
            {faultOf(error, reason)}
          </Alert>
        )}
        <Proofs asksTotp={asksTotp} />
        <Button type="submit" size="sm" fullWidth loading={isPending}>
          {say('submit')}
        </Button>
        <Elsewhere account={account} />
      </form>
    </main>
  );
}

function Proofs({ asksTotp }: { asksTotp: boolean }) {
  return (
    <>
      <TextInput
        label={say('email')}
        name="email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        autoFocus
      />
      <PasswordInput
        label={say('password')}
        name="password"
        autoComplete="current-password"
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
        required
      />
      {asksTotp && (
        <TextInput
          label={say('totp')}
          description={say('totp.about')}
          name="totp"
          inputMode="numeric"
          autoComplete="one-time-code"
          withAsterisk={false}
          required
          autoFocus
        />
      )}
    </>
  );
}

function credentialsOf(form: FormData): Credentials {
  const totp = String(form.get('totp') ?? '').trim();
  return {
    email: String(form.get('email')).trim(),
    password: String(form.get('password')),
    ...(totp !== '' && { totp }),
    ...(account !== null && { account }),
  };
}

/** The account to sign in to, from the page's address (`/?account=acct_1`): several accounts, or an operator, may have users with the same e-mail address. */
const account = new URLSearchParams(window.location.search).get('account');

function faultOf(error: Error, reason: string): string {
  if (reason === 'bad_credentials') return say('wrong');
  if (reason === WRONG_TOTP) return say('totp.wrong');
  if (error instanceof ApiError && error.status === 429) return say('limited');
  return faultText(error);
}
