import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { queuesQuery } from '../../api/queues.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { useNow } from '../../parts/use-now.ts';
import { type Channel, channelsQuery, isFull, isSick } from '../channels/queries.ts';
import { OutageRow } from './outage-row.tsx';
import { outagesOf } from './outages.ts';
import {
  type Attempt,
  auditQuery,
  MOST_COUNTED,
  type Notice,
  noticesQuery,
  processesQuery,
  unknownQuery,
} from './queries.ts';
import { Sick } from './sick.tsx';
import { say } from './texts.ts';
import classes from './troubles.module.css';

/** The troubles that an operator should look at, since when they stand, and what to press. */
export function Troubles() {
  const channels = useQuery(channelsQuery);
  const unknown = useQuery(unknownQuery);
  const audit = useQuery(auditQuery);
  const notices = useQuery(noticesQuery);
  const processes = useQuery(processesQuery);
  const queues = useQuery(queuesQuery);
  const nowSeconds = useNow() / 1000;
  const all = [channels, unknown, audit, notices, processes, queues];
  const failed = all.find(({ error }) => error);
  const isWaiting = all.some(({ isPending }) => isPending);
  const live = channels.data?.filter(({ test }) => !test) ?? [];
  const sick = live.filter(isSick);
  const full = live.filter((channel) => isFull(channel) && !isSick(channel));
  const ending = endingOf(live);
  const attempts = unknown.data ?? [];
  const standing = notices.data?.filter(({ account_id: account }) => account !== null) ?? [];
  const known = { processes: processes.data ?? [], queues: queues.data, notices: notices.data ?? [] };
  const outages = outagesOf({ ...known, nowSeconds });
  const violations = audit.data?.[0]?.violations.length ?? 0;
  const ofVendors = sick.length + full.length + ending.length + attempts.length;
  const troubles = outages.length + ofVendors + standing.length + violations;
  return (
    <Panel title={say('troubles')} aside={<Link to="/notices">{say('notices')}</Link>}>
      {failed && <Failure error={failed.error} retry={() => Promise.all(all.map(({ refetch }) => refetch()))} />}
      {isWaiting && <TableSkeleton rows={2} />}
      {troubles === 0 && !isWaiting && !failed && <Empty icon={CircleCheck} title={say('troubles.none')} />}
      <ul className={classes.troubles}>
        {violations > 0 && (
          <li className="row">
            <Status tone="bad" text={say('violations', { count: violations })} />
            <Link to="/books">{say('violations.look')}</Link>
          </li>
        )}
        {outages.map((outage) => (
          <OutageRow key={JSON.stringify(outage)} outage={outage} />
        ))}
        {sick.map((channel) => (
          <Sick key={channel.id} channel={channel} />
        ))}
        {full.map((channel) => (
          <Full key={channel.id} channel={channel} />
        ))}
        {standing.length > 0 && <Standing notices={standing} />}
        {attempts.length > 0 && <Unknown attempts={attempts} />}
        {ending.map((retirement) => (
          <Ending key={`${retirement.model} ${retirement.upstream_model}`} {...retirement} />
        ))}
      </ul>
    </Panel>
  );
}

type Retirement = Channel['retirements'][number];

/** Models that vendors end within 60 days, or have ended. */
function endingOf(channels: readonly Channel[]): (Retirement & { channel: string })[] {
  return channels.flatMap(({ id, retirements }) =>
    retirements.filter(({ stage }) => stage !== 'served').map((retirement) => ({ ...retirement, channel: id })),
  );
}

function Full({ channel: { id, open_jobs: open, max_concurrency: most } }: { channel: Channel }) {
  return (
    <li className="row">
      <Status tone="warning" text={say('full')} />
      <Link to={`/channels/${id}`}>{id}</Link>
      <span className="quiet">{say('full.about', { open, most: most ?? 0 })}</span>
    </li>
  );
}

function Ending({ model, served_until: day, replaced_by: next, channel }: Retirement & { channel: string }) {
  return (
    <li className="row">
      <Status tone="warning" text={say('ending')} />
      <Link to={`/channels/${channel}`}>{model}</Link>
      <span className="quiet">{say(next === null ? 'ending.on' : 'ending.replaced', { day, model: next ?? '' })}</span>
    </li>
  );
}

/** The notices of accounts and keys: how many there are, and the newest. */
function Standing({ notices }: { notices: readonly Notice[] }) {
  const [newest] = notices;
  return (
    <li className="row">
      <Status tone="warning" text={say('standing', { count: notices.length })} />
      <Link to="/notices">{say('standing.look')}</Link>
      <span className="quiet">{newest?.text}</span>
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
