import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Task, taskQuery } from '../../api/task.ts';
import { Crumb } from '../../parts/crumb.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { TaskResult } from '../../parts/task-result.tsx';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { useEvents } from '../../parts/use-events.ts';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { Facts } from './facts.tsx';
import { Lineage } from './lineage.tsx';
import { MoneyTrail } from './money-trail.tsx';
import { RequestBody } from './request-body.tsx';
import { say } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** One task: what came out, what it went through, what it cost. */
export default function TaskPage() {
  const { id = '' } = useParams();
  const query = useQuery(taskQuery(id));
  const { data: task } = query;
  const connection = useEvents(task);
  const crumb = <Crumb to="/tasks" text={say('crumb')} />;
  if (task === undefined) return <LoadingPage query={query} title={say('title')} crumb={crumb} />;
  return (
    <>
      <PageHead title={task.model} crumb={crumb} about={<About task={task} connection={connection} />}>
        <Actions task={task} />
      </PageHead>
      <TwoColumns
        side={
          <>
            <Facts task={task} />
            <Timeline task={task} />
            <MoneyTrail task={task} />
            <Lineage id={id} />
          </>
        }
      >
        <Panel title={say('result')}>
          <TaskResult task={task} />
        </Panel>
        <RequestBody task={task} />
        <Deliveries id={id} expected={task.callback !== undefined} />
      </TwoColumns>
    </>
  );
}

function About({ task, connection }: { task: Task; connection: string }) {
  return (
    <span className="row" role="status">
      <TaskStatus status={task.status} reason={task.error?.reason} />
      <IdChip id={task.id} />
      {connection === 'lost' && <span>{say('connection.lost')}</span>}
    </span>
  );
}
