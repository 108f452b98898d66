import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { change } from '../../api/gateway.ts';
import type { Task } from '../../api/task.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { notify } from '../../parts/notices.tsx';
import { say } from './texts.ts';

/** Callbacks that are sent at once, of those that are listed. */
const AT_ONCE = 5;

/** Sends every listed callback again, a few at a time, and says how many were taken. */
export function RedeliverAll({ tasks }: { tasks: readonly Task[] }) {
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const redeliver = useMutation({
    mutationFn: () => redeliverAll(tasks.map(({ id }) => id)),
    onSuccess: (sent) => notify(say('again.done', { sent, of: tasks.length })),
    onSettled: () => {
      setAsks(false);
      return queries.invalidateQueries({ queryKey: ['tasks', 'callbacks'] });
    },
  });
  if (tasks.length === 0) return null;
  return (
    <>
      <Button variant="default" leftSection={<Send size={14} />} onClick={() => setAsks(true)}>
        {say('again')}
      </Button>
      <Confirm
        opened={asks}
        title={say('again.title', { count: tasks.length })}
        text={say('again.about')}
        action={say('again')}
        busy={redeliver.isPending}
        onConfirm={() => redeliver.mutate()}
        onClose={() => setAsks(false)}
      />
    </>
  );
}

/** Returns how many were taken; a callback that is under way already is refused, which is no reason to stop. */
async function redeliverAll(ids: readonly string[]): Promise<number> {
  let sent = 0;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const answers = await Promise.allSettled(some.map((id) => change('POST', `/v1/tasks/${id}/redeliver`)));
    sent += answers.filter(({ status }) => status === 'fulfilled').length;
  }
  return sent;
}
