import { Status } from '../../parts/status.tsx';
import type { Channel } from './queries.ts';
import { say } from './texts.ts';

/** What operators decided, and what its failures did. */
export function ChannelState({ channel: { state, breaker } }: { channel: Channel }) {
  if (state === 'disabled') return <Status tone="bad" text={say('state.disabled')} />;
  if (state === 'draining') return <Status tone="warning" text={say('state.draining')} />;
  if (breaker.open_in > 0) return <Status tone="bad" text={say('state.open')} />;
  return <Status tone="good" text={say('state.enabled')} />;
}
