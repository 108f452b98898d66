import { Link } from 'react-router';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Cost } from '../../parts/cost.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import { ChannelActions } from '../channels/channel-actions.tsx';
import { type Channel, vendorFailures } from '../channels/queries.ts';
import { say } from './texts.ts';
import classes from './troubles.module.css';

/** A channel that is closed, passed over or fails often: why, since when, what it costs and holds, and what to press. */
export function Sick({ channel }: { channel: Channel }) {
  const { id, recent, breaker, open_jobs: open } = channel;
  const isClosed = channel.state !== 'enabled' || breaker.open_in > 0;
  const [fault] = Object.entries(recent.faults).toSorted(([, one], [, other]) => other - one);
  return (
    <li className={classes.sick}>
      <div className="row">
        {isClosed ? <ChannelState channel={channel} /> : <Status tone="bad" text={say('often')} />}
        <Link to={`/channels/${id}`}>{id}</Link>
        {fault !== undefined && <code>{fault[0]}</code>}
        <span className="quiet">
          <Since channel={channel} />
        </span>
      </div>
      <div className="row">
        <span className="quiet">
          {say('sick', { failed: vendorFailures(recent), attempts: recent.attempts })} ·{' '}
          {say('sick.open', { count: open })} · {say('cost')}{' '}
          <Cost known={recent.spend} unknown={recent.cost_unknown} />
        </span>
        <span className="row spread">
          <ChannelActions channel={channel} compact />
        </span>
      </div>
    </li>
  );
}

/** Since when it is passed over or closed; else when it last worked. */
function Since({ channel: { breaker, override, recent } }: { channel: Channel }) {
  const at = breaker.since ?? override?.set_at ?? null;
  if (at !== null) {
    return (
      <>
        {say('since')} <Moment at={at} />
        {breaker.since === null && override?.reason && ` · ${override.reason}`}
      </>
    );
  }
  if (recent.last_succeeded_at === null) return say('sick.never');
  return (
    <>
      {say('sick.last')} <Moment at={recent.last_succeeded_at} />
    </>
  );
}
