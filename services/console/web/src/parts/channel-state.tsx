import type { components } from '../api/generated/api.ts';
import { say } from '../frame/texts.ts';
import { Status } from './status.tsx';

type Channel = Pick<components['schemas']['Channel'], 'state' | 'breaker'>;

/** The state of a channel, by what operators decided and what its failures did. */
export function ChannelState({ channel: { state, breaker } }: { channel: Channel }) {
  if (state === 'removed') return <Status tone="quiet" text={say('channel.removed')} />;
  if (state === 'disabled') return <Status tone="bad" text={say('channel.disabled')} />;
  if (state === 'draining') return <Status tone="warning" text={say('channel.draining')} />;
  if (breaker.open_in > 0) return <Status tone="bad" text={say('channel.open')} />;
  const [first, ...others] = breaker.models;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` +${others.length}`;
    return <Status tone="warning" text={`${say('channel.open')}: ${first.model}${more}`} />;
  }
  return <Status tone="good" text={say('channel.enabled')} />;
}
