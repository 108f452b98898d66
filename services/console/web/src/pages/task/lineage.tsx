import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Task } from '../../api/task.ts';
import { shortId } from '../../parts/id-chip.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { lineageQuery } from './queries.ts';
import { say } from './texts.ts';

/** The tasks that the task was made from, and those made from it. */
export function Lineage({ id }: { id: string }) {
  const { data } = useQuery(lineageQuery(id));
  if (data === undefined || data.ancestors.length + data.descendants.length === 0) return null;
  return (
    <Panel title={say('lineage')}>
      <div className="stack">
        <Tasks title={say('lineage.from')} tasks={data.ancestors} />
        <Tasks title={say('lineage.to')} tasks={data.descendants} />
      </div>
    </Panel>
  );
}

function Tasks({ title, tasks }: { title: string; tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      {tasks.map(({ id, model, status, error }) => (
        <div key={id} className="row">
          <Link to={`/tasks/${id}`}>
            {model} <code>{shortId(id)}</code>
          </Link>
          <span className="spread">
            <TaskStatus status={status} reason={error?.reason} />
          </span>
        </div>
      ))}
    </div>
  );
}
