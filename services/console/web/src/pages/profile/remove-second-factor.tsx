import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { faultText } from '../../parts/failure.tsx';
import { notify } from '../../parts/notices.tsx';
import { submitted } from '../../parts/submitted.ts';
import { proofFault } from './queries.ts';
import { say } from './texts.ts';

/** Asks for the password: a browser that was left open is not enough. */
export function RemoveSecondFactor({ onClose }: { onClose(): void }) {
  const remove = useMutation({
    mutationFn: (body: object) => request('/users/me/totp/remove', { method: 'POST', body }),
    onSuccess: () => {
      notify(say('totp.removed'));
      onClose();
    },
  });
  const submit = submitted((fields) => remove.mutate(Object.fromEntries(fields)));
  return (
    <Dialog onClose={onClose} title={say('totp.remove')}>
      <form className="stack" onSubmit={submit}>
        <p>{say('totp.remove.about')}</p>
        <PasswordInput
          label={say('password.current')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={remove.error && (proofFault(remove.error, ['bad_credentials']) ?? faultText(remove.error))}
          visibilityToggleButtonProps={{ 'aria-label': say('password.show') }}
        />
        <Button type="submit" size="sm" color="red.8" loading={remove.isPending}>
          {say('totp.remove')}
        </Button>
      </form>
    </Dialog>
  );
}
