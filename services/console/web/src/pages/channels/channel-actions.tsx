import { Button } from '@mantine/core';
import { Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { useAllowed } from '../../api/roles.ts';
import { ProbeDialog } from './probe-dialog.tsx';
import { type Channel, STEERINGS, type Steering } from './queries.ts';
import { SteerDialog } from './steer-dialog.tsx';
import { say } from './texts.ts';

type Opened = Steering | 'probe';

interface ChannelActionsProps {
  channel: Channel;
  /** The one button that is shown, small enough for a row. Default: all. */
  only?: Opened;
}

/** The buttons of a channel: a test call, and the steerings that would change something. */
export function ChannelActions({ channel, only }: ChannelActionsProps) {
  const [opened, setOpened] = useState<Opened>();
  const [supports, steers] = [useAllowed('support'), useAllowed('admin')];
  const close = () => setOpened(undefined);
  const size = only !== undefined ? 'compact-xs' : 'sm';
  return (
    <>
      {supports && (only ?? 'probe') === 'probe' && (
        <Button
          size={size}
          variant="default"
          leftSection={<Stethoscope size={14} />}
          aria-label={say('probe.one', { id: channel.id })}
          onClick={() => setOpened('probe')}
        >
          {say('probe')}
        </Button>
      )}
      {steers &&
        steeringsOf(channel)
          .filter((steering) => (only ?? steering) === steering)
          .map((steering) => (
            <Button
              key={steering}
              size={size}
              variant="default"
              aria-label={`${say(steering)} ${channel.id}`}
              onClick={() => setOpened(steering)}
            >
              {say(steering)}
            </Button>
          ))}
      {opened === 'probe' && <ProbeDialog id={channel.id} onClose={close} />}
      {opened !== undefined && opened !== 'probe' && (
        <SteerDialog channel={channel} steering={opened} onClose={close} />
      )}
    </>
  );
}

/** The steerings that would change something. */
function steeringsOf({ state, override }: Channel): readonly Steering[] {
  return STEERINGS.filter((steering) => {
    if (steering === 'reset') return override !== null;
    if (steering === 'disable') return state !== 'disabled';
    return steering === 'drain' ? state === 'enabled' : true;
  });
}
