import { Link } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { Backlog } from '../../parts/backlog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { LastHour } from './last-hour.tsx';
import { Processes } from './processes.tsx';
import { say } from './texts.ts';
import { Troubles } from './troubles.tsx';

/** One screen for an incident: what fails since when, what waits and how long, what is slow, what it costs, what to press. */
export default function NowPage() {
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className="stack">
        <Troubles />
        <Backlog
          aside={<Link to="/queues">{sayFrame('nav.queues')}</Link>}
          pathOfFamily={({ family }) => `/tasks?family=${family}`}
          pathOfCallbacks="/deliveries?state=pending"
        />
        <LastHour />
        <Processes />
      </div>
    </>
  );
}
