import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { type Channel, channelsQuery, isSick, vendorFailures } from '../channels/queries.ts';
import { type Attempt, auditQuery, MOST_COUNTED, unknownQuery } from './queries.ts';
import { say } from './texts.ts';
import classes from './troubles.module.css';

/** What an operator should look at, since when it is so, and where it is put right. */
export function Troubles() {
  const channels = useQuery(channelsQuery);
  const unknown = useQuery(unknownQuery);
  const audit = useQuery(auditQuery);
  const error = channels.error ?? unknown.error ?? audit.error;
  if (error) {
    const retry = () => Promise.all([channels.refetch(), unknown.refetch(), audit.refetch()]);
    return <Failure error={error} retry={retry} />;
  }
  const sick = channels.data?.filter(isSick) ?? [];
  const ending = channels.data?.flatMap(({ retirements }) => retirements) ?? [];
  const attempts = unknown.data ?? [];
  const violations = audit.data?.violations.length ?? 0;
  const isCalm = sick.length + ending.length + attempts.length + violations === 0;
  return (
    <Panel title={say('troubles')}>
      {isCalm && <Empty icon={CircleCheck} title={say('troubles.none')} />}
      <ul className={classes.troubles}>
        {violations > 0 && (
          <li className="row">
            <Status tone="bad" text={say('violations', { count: violations })} />
            <Link to="/books">{say('violations.look')}</Link>
          </li>
        )}
        {sick.map((channel) => (
          <Sick key={channel.id} channel={channel} />
        ))}
        {attempts.length > 0 && <Unknown attempts={attempts} />}
        {ending.map(({ model, upstream_model, served_until, replaced_by }) => (
          <li key={`${model} ${upstream_model}`} className="row">
            <Status tone="warning" text={say('ending')} />
            <Link to={`/prices?query=${model}`}>{model}</Link>
            <span className="quiet">
              {say(replaced_by === null ? 'ending.on' : 'ending.replaced', {
                day: served_until,
                model: replaced_by ?? '',
              })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Sick({ channel }: { channel: Channel }) {
  const { id, recent, breaker, override } = channel;
  const isClosed = channel.state !== 'enabled' || breaker.open_in > 0;
  const since = breaker.since ?? override?.set_at ?? null;
  const [fault] = Object.entries(recent.faults).toSorted(([, one], [, other]) => other - one);
  return (
    <li className="row">
      {isClosed ? <ChannelState channel={channel} /> : <Status tone="bad" text={say('often')} />}
      <Link to={`/channels#${id}`}>{id}</Link>
      <span className="quiet">
        {say('sick', { failed: vendorFailures(recent), attempts: recent.attempts })}
        {fault !== undefined && ` · ${fault[0]}`}
      </span>
      {since !== null && (
        <span className="quiet">
          {say('since')} <Moment at={since} />
        </span>
      )}
    </li>
  );
}

function Unknown({ attempts }: { attempts: readonly Attempt[] }) {
  const count = attempts.length;
  const oldest = Math.min(...attempts.map(({ started_at }) => started_at));
  return (
    <li className="row">
      <Status tone="warning" text={say('unknown', { count })} />
      <Link to="/quarantine">{say(count < MOST_COUNTED ? 'unknown.resolve' : 'unknown.more')}</Link>
      <span className="quiet">
        {say('since')} <Moment at={oldest} />
      </span>
    </li>
  );
}
