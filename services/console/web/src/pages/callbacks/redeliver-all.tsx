import { Button } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Task } from '../../api/task.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { notify } from '../../parts/notices.tsx';
import { say } from './texts.ts';

/** The most tasks that one request names. */
const AT_ONCE = 1000;

/** Sends every listed callback again, and says how many were taken: one that is under way already is not. */
export function RedeliverAll({ tasks }: { tasks: readonly Task[] }) {
  const [asks, setAsks] = useState(false);
  const ids = tasks.slice(0, AT_ONCE).map(({ id }) => id);
  const close = () => setAsks(false);
  const finish = ({ redelivered }: { redelivered: number }) => {
    notify(say('again.done', { sent: redelivered, of: ids.length }));
    close();
  };
  if (ids.length === 0) return null;
  return (
    <>
      <Button variant="default" leftSection={<Send size={14} />} onClick={() => setAsks(true)}>
        {say('again')}
      </Button>
      {asks && (
        <ChangeDialog<{ redelivered: number }>
          title={say('again.title', { count: ids.length })}
          about={say('again.about')}
          action={say('again')}
          path="/v1/webhooks/redeliver"
          body={{ task_ids: ids }}
          affects={['tasks']}
          asksReason={false}
          onDone={finish}
          onClose={close}
        />
      )}
    </>
  );
}
