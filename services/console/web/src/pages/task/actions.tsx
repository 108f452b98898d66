import { Button } from '@mantine/core';
import { Ban, RotateCw } from 'lucide-react';
import { Link } from 'react-router';
import type { Answers } from '../../api/gateway.ts';
import { isEnded, type Task } from '../../api/task.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { exactMoney } from '../../parts/money.tsx';
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
  return (
    <ChangeButton<Answers['cancelTask']['data']>
      button={{ leftSection: <Ban size={14} /> }}
      title={say('cancel.title')}
      about={say('cancel.about', { amount: exactMoney(reserved) })}
      action={say('cancel')}
      dangerous
      path={`/v1/tasks/${id}/cancel`}
      affects={['tasks']}
      asksReason={false}
      done={({ released }) => say('cancel.done', { amount: exactMoney(released) })}
    />
  );
}
