import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { AddSecondFactor } from './add-second-factor.tsx';
import { type OwnUser, ownQuery } from './queries.ts';
import { RemoveSecondFactor } from './remove-second-factor.tsx';
import { say } from './texts.ts';

/** Codes by time, of an app on a telephone. */
export function SecondFactor({ own }: { own: OwnUser }) {
  const queries = useQueryClient();
  const [opened, setOpened] = useState<'add' | 'remove'>();
  const close = () => {
    setOpened(undefined);
    void Promise.all([ownQuery, sessionQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));
  };
  const isOn = own.totp;
  return (
    <Panel
      title={say('totp')}
      aside={
        <Status
          tone={isOn ? 'good' : 'quiet'}
          icon={isOn ? ShieldCheck : ShieldOff}
          text={say(isOn ? 'totp.on' : 'totp.off')}
        />
      }
    >
      <div className="stack">
        <p className="quiet">{say('totp.about')}</p>
        <div>
          <Button size="sm" variant="default" onClick={() => setOpened(isOn ? 'remove' : 'add')}>
            {say(isOn ? 'totp.remove' : 'totp.add')}
          </Button>
        </div>
      </div>
      {opened === 'add' && <AddSecondFactor onClose={close} />}
      {opened === 'remove' && <RemoveSecondFactor onClose={close} />}
    </Panel>
  );
}
