import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { Moment } from '../../parts/moment.tsx';
import { exactMoney, MONEY_DECIMALS } from '../../parts/money.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import type { Attempt } from './columns.tsx';
import { say } from './texts.ts';

const RESOLUTIONS = ['paid', 'not_paid'] as const;

interface ResolveDialogProps {
  attempt: Attempt;
  onClose(): void;
}

/** The known facts of an attempt, to ask its vendor by, and fields for the vendor's answer. */
export function ResolveDialog({ attempt, onClose }: ResolveDialogProps) {
  const { id, refunded, cost: known } = attempt;
  const [resolution, setResolution] = useState<(typeof RESOLUTIONS)[number]>('paid');
  const [cost, setCost] = useState<number | ''>(known ?? '');
  const isPaid = resolution === 'paid';
  return (
    <ChangeDialog
      title={say('resolve.title')}
      about={<Known attempt={attempt} />}
      action={say(`state.${resolution}`)}
      path={`/admin/v1/attempts/${id}/resolve`}
      body={{ resolution, ...(isPaid && cost !== '' && { cost }) }}
      affects={['quarantine', 'case', 'margin']}
      done={say(`done.${resolution}`)}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <SegmentedControl
            aria-label={say('resolve.title')}
            data={RESOLUTIONS.map((value) => ({ value, label: say(`state.${value}`) }))}
            value={resolution}
            onChange={(value) => setResolution(value as typeof resolution)}
          />
          <p className="quiet">{say(`effect.${resolution}`, { amount: exactMoney(refunded) })}</p>
          {isPaid && (
            <NumberField
              label={say('cost')}
              description={say('cost.about')}
              min={0}
              decimalScale={MONEY_DECIMALS}
              value={cost}
              error={faultOf('cost')}
              onChange={setCost}
            />
          )}
        </>
      )}
    </ChangeDialog>
  );
}

function Known({ attempt }: { attempt: Attempt }) {
  const { channel, protocol, external_id, request_ids, fault, detail, started_at, ended_at, refunded, usage } = attempt;
  return (
    <FactList
      facts={[
        [say('column.channel'), `${channel} (${protocol})`],
        external_id !== null && [say('known.job'), <IdChip key="job" id={external_id} />],
        request_ids.length > 0 && [
          say('known.requests'),
          request_ids.map((request) => <IdChip key={request} id={request} />),
        ],
        [say('known.began'), <Moment key="began" at={started_at} />],
        ended_at !== null && [say('known.ended'), <Moment key="ended" at={ended_at} />],
        (fault ?? detail) !== null && [say('column.said'), [fault, detail].filter((part) => part !== null).join(' · ')],
        usage !== null && [say('known.usage'), <code key="usage">{JSON.stringify(usage)}</code>],
        [say('column.refunded'), exactMoney(refunded)],
      ]}
    />
  );
}
