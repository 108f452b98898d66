import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../parts/confirm.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { type ApiKey, KEYS, revokeKey } from './queries.ts';
import { say } from './texts.ts';

export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: () => notify(say('revoke.done', { name: name || id })),
    onError: notifyFailure,
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <Confirm
      opened
      title={say('revoke.title', { name: name || id })}
      text={say('revoke.about')}
      action={say('revoke')}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
