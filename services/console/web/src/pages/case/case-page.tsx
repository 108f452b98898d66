import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Crumb } from '../../parts/crumb.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { Actions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { Callback } from './callback.tsx';
import { Facts } from './facts.tsx';
import { MoneyTrail } from './money-trail.tsx';
import { Outcome } from './outcome.tsx';
import { type Case, caseQuery } from './queries.ts';
import { say } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** A task as a support case needs it: what the vendor said, where the money is, what can be done. */
export default function CasePage() {
  const { id = '' } = useParams();
  const query = useQuery(caseQuery(id));
  const { data: task } = query;
  const crumb = <Crumb to="/tasks" text={say('crumb')} />;
  if (task === undefined) return <LoadingPage query={query} title={say('title')} crumb={crumb} />;
  return (
    <>
      <PageHead title={task.model} crumb={crumb} about={<About task={task} />}>
        <Actions task={task} />
      </PageHead>
      <TwoColumns
        side={
          <>
            <Facts task={task} />
            <Timeline task={task} />
          </>
        }
      >
        <Outcome task={task} />
        <Attempts task={task} />
        <MoneyTrail task={task} />
        <Callback task={task} />
      </TwoColumns>
    </>
  );
}

function About({ task }: { task: Case }) {
  return (
    <span className="row" role="status">
      <TaskStatus status={task.status} reason={task.error?.reason} />
      <IdChip id={task.id} />
    </span>
  );
}
