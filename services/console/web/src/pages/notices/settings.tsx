import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { durationText } from '../../parts/duration.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { moneyText } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import type { Audience } from './audience.ts';
import { type Settings as InForce, settingsQuery } from './queries.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import { say } from './texts.ts';

const MINUTE_SECONDS = 60;

/** The limits from which on something is worth a notice. */
export function Settings({ audience }: { audience: Audience }) {
  const { data, error, refetch } = useQuery(settingsQuery(audience));
  const [changes, setChanges] = useState(false);
  const change = audience.mayChange && data !== undefined && (
    <Button size="compact-xs" variant="default" leftSection={<Pencil size={12} />} onClick={() => setChanges(true)}>
      {say('settings.change')}
    </Button>
  );
  return (
    <Panel title={say('settings')} aside={change}>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={4} />}
      {data !== undefined && <FactList facts={factsOf(data)} />}
      {changes && data !== undefined && (
        <SettingsDialog audience={audience} settings={data} onClose={() => setChanges(false)} />
      )}
    </Panel>
  );
}

function factsOf(settings: InForce): [string, string][] {
  const { low_balance: low, callbacks_failed: failed, repeat_minutes: repeat, quiet_minutes: quiet } = settings;
  const minutes = (count: number) => durationText(count * MINUTE_SECONDS);
  return [
    [say('set.low_balance'), low === 0 ? say('never') : moneyText(low)],
    [say('set.key_quota_percents'), settings.key_quota_percents.map((percent) => `${percent} %`).join(', ')],
    [say('set.callbacks_failed'), String(failed)],
    ...(settings.channel_minutes === undefined
      ? []
      : [[say('set.channel_minutes'), minutes(settings.channel_minutes)] satisfies [string, string]]),
    [say('set.repeat_minutes'), repeat === 0 ? say('never') : minutes(repeat)],
    [say('set.quiet_minutes'), minutes(quiet)],
  ];
}
