import { Status } from '../../parts/status.tsx';
import type { Channel } from './queries.ts';
import { say } from './texts.ts';

/** The models that their vendor ends within 60 days, or has ended. */
export function Ending({ channel: { retirements } }: { channel: Pick<Channel, 'retirements'> }) {
  return retirements
    .filter(({ stage }) => stage !== 'served')
    .map(({ model, served_until: day, replaced_by: next, stage }) => (
      <span key={model} title={next ?? ''}>
        <Status
          tone={stage === 'ended' ? 'bad' : 'warning'}
          text={say(stage === 'ended' ? 'ended' : 'ending', { model, day })}
        />
      </span>
    ));
}
