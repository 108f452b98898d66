import { useQuery } from '@tanstack/react-query';
import { Network } from 'lucide-react';
import { useState } from 'react';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { type Action, ChannelTable } from './channel-table.tsx';
import { ProbeDialog } from './probe-dialog.tsx';
import { type Channel, channelsQuery } from './queries.ts';
import { SteerDialog } from './steer-dialog.tsx';
import { say } from './texts.ts';

type Opened = { action: Action; id: string };

/** The channels: which vendor is sick, since when, and what to press. Channels of test keys stand apart. */
export default function ChannelsPage() {
  const { data, error, refetch } = useQuery(channelsQuery);
  const [opened, setOpened] = useState<Opened>();
  const choose = (action: Action, id: string) => setOpened({ action, id });
  const close = () => setOpened(undefined);
  const channel = data?.find(({ id }) => id === opened?.id);
  const [ofTests = [], live = []] = [data?.filter(isOfTests), data?.filter((one) => !isOfTests(one))];
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      {error && <Failure error={error} retry={refetch} />}
      <div className="stack">
        <Panel flush>
          {!error && data === undefined && <TableSkeleton rows={8} />}
          {data?.length === 0 && <Empty icon={Network} title={say('none')} />}
          {live.length > 0 && <ChannelTable caption={say('title')} channels={live} onChoose={choose} />}
        </Panel>
        {ofTests.length > 0 && (
          <Panel title={say('tests')} flush>
            <ChannelTable caption={say('tests')} channels={ofTests} onChoose={choose} />
          </Panel>
        )}
      </div>
      {opened?.action === 'probe' && <ProbeDialog id={opened.id} onClose={close} />}
      {channel !== undefined && opened !== undefined && opened.action !== 'probe' && (
        <SteerDialog channel={channel} steering={opened.action} onClose={close} />
      )}
    </>
  );
}

function isOfTests({ test }: Channel): boolean {
  return test;
}
