import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { Backlog } from '../../parts/backlog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { LastHour } from './last-hour.tsx';
import { isReady, Processes } from './processes.tsx';
import { processesQuery } from './queries.ts';
import { say } from './texts.ts';
import { Troubles } from './troubles.tsx';

/** One screen for an incident: what fails since when, what waits and how long, what is slow, what it costs, what to press. */
export default function NowPage() {
  const { data: processes } = useQuery(processesQuery);
  // The gateway's list does not have processes that do not answer: these stand below it.
  const isWhole = processes?.every(isReady) ?? true;
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className="stack">
        <Troubles />
        {!isWhole && <Processes />}
        <Backlog
          aside={<Link to="/queues">{sayFrame('nav.queues')}</Link>}
          pathOfFamily={({ family }) => `/tasks?family=${family}`}
          pathOfCallbacks="/deliveries?state=pending"
        />
        <LastHour />
        {isWhole && <Processes />}
      </div>
    </>
  );
}
