import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, faultText } from '../../parts/failure.tsx';
import { submitted } from '../../parts/submitted.ts';
import classes from './profile-page.module.css';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { say } from './texts.ts';

interface Enrolment {
  secret: string;
  uri: string;
}

const SKELETON_PX = 220;

/** A code of the new secret proves that the app has it; then the recovery codes are shown, this once. */
export function AddSecondFactor({ onClose }: { onClose(): void }) {
  const begun = useQuery({
    queryKey: ['profile', 'totp'],
    queryFn: async () => (await request<{ data: Enrolment }>('/users/me/totp', { method: 'POST' })).data,
    // Each begins anew: the secret that is shown must stay the one that is confirmed.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const confirm = useMutation({
    mutationFn: async (code: string) => {
      const body = { code };
      return (await request<{ data: { recovery_codes: string[] } }>(`/users/me/totp/confirm`, { method: 'POST', body }))
        .data;
    },
  });
  const submit = submitted((fields) => confirm.mutate(String(fields.get('code')).trim()));
  const codes = confirm.data?.recovery_codes;
  return (
    <Dialog
      onClose={onClose}
      // A click beside it would lose the codes.
      closeOnClickOutside={codes === undefined}
      closeOnEscape={codes === undefined}
      title={say('totp.add')}
    >
      {begun.error && <Failure error={begun.error} />}
      {begun.isPending && <Skeleton height={SKELETON_PX} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onClose={onClose} />}
      {begun.data !== undefined && codes === undefined && (
        <form className="stack" onSubmit={submit}>
          <p>{say('totp.scan')}</p>
          <QrCode text={begun.data.uri} label={say('totp.code.picture')} />
          <p>
            {say('totp.type')} <code className={classes.secret}>{begun.data.secret}</code>{' '}
            <CopyButton value={begun.data.secret} />
          </p>
          <TextInput
            label={say('totp.code')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            data-autofocus
            error={confirm.error && faultText(confirm.error)}
          />
          <Button type="submit" size="sm" loading={confirm.isPending}>
            {say('totp.confirm')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
