import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Backlog } from './backlog.tsx';
import { Board } from './board.tsx';
import { queuesQuery } from './queries.ts';
import { say } from './texts.ts';

const SKELETON_ROWS = 6;

/** What waits and what runs, and below it the jobs themselves. */
export default function QueuesPage() {
  const [words] = useAddress();
  const { data, error, refetch } = useQuery(queuesQuery);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className="stack">
        {error && <Failure error={error} retry={refetch} />}
        <Panel flush>
          {data === undefined ? !error && <TableSkeleton rows={SKELETON_ROWS} /> : <Backlog queues={data} />}
        </Panel>
        <Board queue={words.get('queue') ?? ''} />
      </div>
    </>
  );
}
