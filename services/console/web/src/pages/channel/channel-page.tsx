import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Crumb } from '../../parts/crumb.tsx';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { TwoColumns } from '../../parts/two-columns.tsx';
import { ChannelActions } from '../channels/channel-actions.tsx';
import { Ending } from '../channels/ending.tsx';
import { Facts } from './facts.tsx';
import { History } from './history.tsx';
import { channelQuery } from './queries.ts';
import { say } from './texts.ts';

/** One channel: how it did over the time, who decided what about it, and what to press. */
export default function ChannelPage() {
  const { id = '' } = useParams();
  const { data: channel, error, refetch } = useQuery(channelQuery(id));
  const crumb = <Crumb to="/channels" text={say('crumb')} />;
  if (channel === undefined) {
    return (
      <>
        <PageHead title={id} crumb={crumb} />
        {error ? <Failure error={error} retry={refetch} /> : <TableSkeleton rows={8} />}
      </>
    );
  }
  const about = (
    <span className="row">
      <ChannelState channel={channel} /> {channel.protocol} <Ending channel={channel} />
    </span>
  );
  return (
    <>
      <PageHead title={id} crumb={crumb} about={about}>
        <ChannelActions channel={channel} />
      </PageHead>
      <TwoColumns side={<Facts channel={channel} />}>
        <History id={id} />
      </TwoColumns>
    </>
  );
}
