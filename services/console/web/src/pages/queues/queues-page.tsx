import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../../api/queues.ts';
import { Backlog } from '../../parts/backlog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Accounts } from './accounts.tsx';
import { Board } from './board.tsx';
import { say } from './texts.ts';

/** The work that waits and runs, and below it the jobs themselves. */
export default function QueuesPage() {
  const [words] = useAddress();
  const { data } = useQuery(queuesQuery);
  const named = words.get('queue') ?? '';
  const queue = data?.families.some(({ family, has_queue }) => family === named && !has_queue) ? '' : named;
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className="stack">
        <Backlog
          pathOfFamily={({ family, has_queue }) => (has_queue ? `?queue=${family}` : undefined)}
          pathOfCallbacks="?queue=deliveries"
        />
        <Accounts />
        <Board queue={queue} />
      </div>
    </>
  );
}
