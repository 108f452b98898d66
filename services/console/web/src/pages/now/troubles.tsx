import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { channelsQuery } from '../channels/queries.ts';
import { type Trouble, troublesQuery } from './queries.ts';
import { say } from './texts.ts';
import { TroubleRow } from './trouble-row.tsx';
import classes from './troubles.module.css';

/** A channel has a row for each of its models that end. */
const isAlike =
  ({ kind, subject }: Trouble) =>
  (other: Trouble) =>
    other.kind === kind && other.subject === subject;

/** The gateway's list of troubles, in its order. */
export function Troubles() {
  const { data, error, refetch } = useQuery(troublesQuery);
  const { data: channels } = useQuery(channelsQuery);
  return (
    <Panel title={say('troubles')} aside={<Link to="/notices">{say('notices')}</Link>}>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={2} />}
      {data?.length === 0 && <Empty icon={CircleCheck} title={say('troubles.none')} />}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.troubles}>
          {data.map((trouble, index) => (
            <TroubleRow
              // A detail counts on; the row has an open dialog in it.
              key={`${trouble.kind} ${trouble.subject} ${data.slice(0, index).filter(isAlike(trouble)).length}`}
              trouble={trouble}
              channel={channels?.find(({ id }) => id === trouble.subject)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
