import { Send } from 'lucide-react';
import type { Task } from '../../api/task.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { say } from './texts.ts';

/** The most tasks that one request names. */
const AT_ONCE = 1000;

/** Sends every listed callback again, and says how many were taken: one that is under way already is not. */
export function RedeliverAll({ tasks }: { tasks: readonly Task[] }) {
  const ids = tasks.slice(0, AT_ONCE).map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    <ChangeButton<{ redelivered: number }>
      button={{ leftSection: <Send size={14} /> }}
      title={say('again.title', { count: ids.length })}
      about={say('again.about')}
      action={say('again')}
      path="/v1/webhooks/redeliver"
      body={{ task_ids: ids }}
      affects={['tasks']}
      asksReason={false}
      done={({ redelivered }) => say('again.done', { sent: redelivered, of: ids.length })}
    />
  );
}
