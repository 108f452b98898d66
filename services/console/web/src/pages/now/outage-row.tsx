import { Link } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import type { Outage } from './outages.ts';
import { say } from './texts.ts';

/** Says what stands still, since when, what to do, and the runbook. */
export function OutageRow({ outage }: { outage: Outage }) {
  return (
    <li className="row">
      <About outage={outage} />
      <span className="quiet">
        {outage.since !== null && (
          <>
            {say('since')} <Moment at={outage.since} /> ·{' '}
          </>
        )}
        <code>docs/runbooks/{outage.runbook}</code>
      </span>
    </li>
  );
}

function About({ outage }: { outage: Outage }) {
  switch (outage.kind) {
    case 'notice':
      return (
        <>
          <Status tone="bad" text={say('notice')} />
          <Link to="/notices">{outage.text}</Link>
        </>
      );
    case 'process':
      return (
        <>
          <Status tone="bad" text={say(outage.state === 'down' ? 'down' : 'notReady')} />
          {outage.name}
          <span className="quiet">{outage.reason}</span>
        </>
      );
    default:
      return (
        <>
          <Status tone={outage.kind === 'late' ? 'warning' : 'bad'} text={stateText(outage.kind)} />
          <Link to={`/queues?queue=${outage.queue}`}>{outage.queue}</Link>
          <span className="quiet">{say(`${outage.kind}.about`, { count: outage.waiting })}</span>
        </>
      );
  }
}

function stateText(kind: 'paused' | 'untaken' | 'late'): string {
  if (kind === 'late') return say('late');
  return sayFrame(kind === 'paused' ? 'backlog.paused' : 'backlog.workers.none');
}
