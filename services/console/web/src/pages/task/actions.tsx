import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Answers, change } from '../../api/gateway.ts';
import { isEnded, type Task, taskQuery } from '../../api/task.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { submissionPath } from '../../parts/submission.ts';
import { say } from './texts.ts';

export function Actions({ task }: { task: Task }) {
  return (
    <>
      {submissionPath(task) !== undefined && (
        <Button
          component={Link}
          to={`/playground?from=${task.id}`}
          variant="default"
          leftSection={<RotateCw size={14} />}
        >
          {say('again')}
        </Button>
      )}
      {!isEnded(task) && <Cancel task={task} />}
    </>
  );
}

function Cancel({ task: { id, reserved } }: { task: Task }) {
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const cancel = useMutation({
    mutationFn: () => change<Answers['cancelTask']>('POST', `/v1/tasks/${id}/cancel`),
    onSuccess: ({ data }) => notify(say('cancel.done', { amount: exactMoney(data.released) })),
    onError: notifyFailure,
    onSettled: () => {
      setAsks(false);
      return queries.invalidateQueries({ queryKey: taskQuery(id).queryKey });
    },
  });
  return (
    <>
      <Button variant="default" leftSection={<Ban size={14} />} onClick={() => setAsks(true)}>
        {say('cancel')}
      </Button>
      <Confirm
        opened={asks}
        title={say('cancel.title')}
        text={say('cancel.about', { amount: exactMoney(reserved) })}
        action={say('cancel')}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
