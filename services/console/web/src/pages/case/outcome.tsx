import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useAllowed } from '../../api/roles.ts';
import type { Task } from '../../api/task.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Panel } from '../../parts/panel.tsx';
import { MadeResult } from '../../parts/task-result.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

/** The caller's outcome: the error, or the result, which is shown to an operator who says why they look. */
export function Outcome({ task }: { task: Case }) {
  const { error, status } = task;
  if (error === undefined && status !== 'completed') return null;
  return (
    <Panel title={say('outcome')}>
      {error === undefined ? (
        <Result task={task} />
      ) : (
        <FactList
          facts={[
            [say('outcome.error'), error.message, 'long'],
            [say('outcome.reason'), <code key="reason">{error.reason}</code>],
          ]}
        />
      )}
    </Panel>
  );
}

interface Shown {
  id: string;
  result: Task['result'] | null;
}

/** The result belongs to its account, so the audit log has who looked. It is forgotten with the page. */
function Result({ task: { id } }: { task: Case }) {
  const supports = useAllowed('support');
  const [shown, setShown] = useState<Shown>();
  if (shown?.id === id) {
    return shown.result ? <MadeResult result={shown.result} /> : <p className="quiet">{say('outcome.gone')}</p>;
  }
  if (!supports) return <p className="quiet">{say('outcome.hidden')}</p>;
  return (
    <ChangeButton<Shown>
      button={{ leftSection: <Eye size={14} /> }}
      label={say('outcome.look')}
      title={say('outcome.look')}
      about={say('outcome.look.about')}
      action={say('outcome.look.press')}
      path={`/admin/v1/tasks/${id}/result`}
      affects={['log']}
      onDone={setShown}
    />
  );
}
