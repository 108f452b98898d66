import { Modal } from '@mantine/core';
import { Link } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { ChannelState } from '../../parts/channel-state.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Moment } from '../../parts/moment.tsx';
import type { Channel } from './queries.ts';
import { say } from './texts.ts';

/** Who decided what about a channel, and what ended its attempts of late. */
export function ChannelDialog({ channel, onClose }: { channel: Channel; onClose(): void }) {
  const { id, protocol, models, weight, priority, max_concurrency, file, override, breaker, recent } = channel;
  return (
    <Modal opened onClose={onClose} title={id} closeButtonProps={{ 'aria-label': sayFrame('close') }}>
      <FactList
        facts={[
          [say('state'), <ChannelState key="state" channel={channel} />],
          breaker.since !== null && [
            say('details.failing'),
            <span key="failing">
              <Moment at={breaker.since} /> · {say('details.processes', { count: breaker.open_in })}
            </span>,
          ],
          [say('details.file'), file === null ? '–' : `${file.state} · ${say('weight')} ${file.weight}`],
          override !== null && [
            say('details.override'),
            <span key="override">
              {[override.state, override.weight === null ? null : `${say('weight')} ${override.weight}`]
                .filter((part) => part !== null)
                .join(' · ')}{' '}
              · {override.set_by} · <Moment at={override.set_at} />
              {override.reason !== null && ` · ${override.reason}`}
            </span>,
          ],
          protocol !== null && [say('details.protocol'), protocol],
          weight !== null && [say('weight'), weight],
          priority !== null && [say('details.priority'), priority],
          [say('details.atOnce'), max_concurrency ?? '–'],
          recent.median_ms !== null && [say('details.median'), `${(recent.median_ms / 1000).toFixed(1)} s`],
          ...Object.entries(recent.faults)
            .toSorted(([, one], [, other]) => other - one)
            .map(([fault, count]): [string, number] => [fault, count]),
          [say('details.models'), models.join(', ') || '–'],
          [
            say('details.log'),
            <Link key="log" to={`/log?subject=${encodeURIComponent(id)}`}>
              {sayFrame('nav.log')}
            </Link>,
          ],
        ]}
      />
    </Modal>
  );
}
