import { useState } from 'react';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { CHANNELS, type Channel, type Steering } from './queries.ts';
import { say } from './texts.ts';

interface SteerDialogProps {
  channel: Channel;
  steering: Steering;
  onClose(): void;
}

const MAX_WEIGHT = 1000;

/** An operator's word over the file's; every process counts by it within seconds. */
export function SteerDialog({ channel: { id, weight: before }, steering, onClose }: SteerDialogProps) {
  const [weight, setWeight] = useState<number | ''>(before ?? 1);
  const weighs = steering === 'weigh';
  return (
    <ChangeDialog
      title={say(`${steering}.title`, { id })}
      about={say(`${steering}.about`)}
      action={say(steering)}
      dangerous={steering === 'disable'}
      path={`/admin/v1/channels/${encodeURIComponent(id)}/${steering}`}
      body={weighs ? { weight } : {}}
      affects={[CHANNELS]}
      disabled={weighs && weight === ''}
      done={say(`${steering}.done`, { id })}
      onClose={onClose}
      {...(weighs && {
        children: (faultOf: FaultOf) => (
          <NumberField
            label={say('weight')}
            min={1}
            max={MAX_WEIGHT}
            allowDecimal={false}
            value={weight}
            error={faultOf('weight')}
            onChange={setWeight}
            data-autofocus
          />
        ),
      })}
    />
  );
}
