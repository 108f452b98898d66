import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ChannelState } from '../../parts/channel-state.tsx';
import { Crumb } from '../../parts/crumb.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { PageHead } from '../../parts/page-head.tsx';
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
  const query = useQuery(channelQuery(id));
  const { data: channel } = query;
  const crumb = <Crumb to="/channels" text={say('crumb')} />;
  if (channel === undefined) return <LoadingPage query={query} title={id} crumb={crumb} />;
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
