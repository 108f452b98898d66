import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Status } from '../../parts/status.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { say } from './texts.ts';

type Probed = components['schemas']['ProbedChannel'];

const KEYS = { taken: 'good', refused: 'bad', unproved: 'quiet', absent: 'warning' } as const;

/** Asks the channel's vendor as it opens, and says what was seen. */
export function ProbeDialog({ id, onClose }: { id: string; onClose(): void }) {
  const probe = useMutation({
    mutationFn: async () =>
      (await change<{ data: Probed }>('POST', `/admin/v1/channels/${encodeURIComponent(id)}/probe`)).data,
  });
  const asked = useRef(false);
  useEffect(() => {
    if (!asked.current) probe.mutate();
    asked.current = true;
  }, [probe.mutate]);
  const title = say('probe.title', { id });
  return (
    <Dialog onClose={onClose} title={title}>
      <div className="stack" role="status">
        <p className="quiet">{say('probe.about')}</p>
        {probe.error && <Failure error={probe.error} retry={probe.mutate} />}
        {probe.isPending && <TableSkeleton rows={3} />}
        {probe.data && <Seen probed={probe.data} />}
      </div>
    </Dialog>
  );
}

function Seen({ probed: { reachable, key, detail, upstream_models: models, balance, took_ms } }: { probed: Probed }) {
  const unknown = models?.filter(({ known }) => !known).map(({ name }) => name) ?? [];
  const ending = models?.flatMap(({ name, served_until: until }) => (until === null ? [] : [`${name} ${until}`])) ?? [];
  return (
    <FactList
      facts={[
        reachable !== null && [
          say('probe.answers'),
          <Status key="answers" tone={reachable ? 'good' : 'bad'} text={say(reachable ? 'probe.yes' : 'probe.no')} />,
        ],
        [
          say('probe.key'),
          <Status
            key="key"
            tone={KEYS[key as keyof typeof KEYS] ?? 'quiet'}
            text={say(`probe.key.${key as 'taken'}`)}
          />,
        ],
        reachable !== null && [say('probe.took'), `${took_ms} ms`],
        models !== null && [
          say('probe.models'),
          unknown.length === 0 ? say('probe.models.known') : say('probe.models.unknown', { names: unknown.join(', ') }),
        ],
        ending.length > 0 && [say('probe.ending'), ending.join(', ')],
        balance !== null && [say('probe.balance'), balance],
        detail !== '' && [say('probe.detail'), detail],
      ]}
    />
  );
}
