import { Backlog } from '../../parts/backlog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Board } from './board.tsx';
import { say } from './texts.ts';

/** The work that waits and runs, and below it the jobs themselves. */
export default function QueuesPage() {
  const [words] = useAddress();
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className="stack">
        <Backlog
          pathOfFamily={({ family, has_queue }) => (has_queue ? `?queue=${family}` : undefined)}
          pathOfCallbacks="?queue=deliveries"
        />
        <Board queue={words.get('queue') ?? ''} />
      </div>
    </>
  );
}
