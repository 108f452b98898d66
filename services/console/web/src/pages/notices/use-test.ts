import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/gateway.ts';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import type { Audience } from './audience.ts';
import { TARGETS } from './queries.ts';
import { say } from './texts.ts';

/** Sends a test to a target; its row says what comes of it. */
export function useTest({ root }: Audience) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => change('POST', `${root}/targets/${id}/test`),
    onSuccess: () => notify(say('target.test.done')),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: [TARGETS] }),
  });
}
