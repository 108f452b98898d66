import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { CHANNELS, type Channel, type Steering } from './queries.ts';
import { say } from './texts.ts';

interface SteerDialogProps {
  channel: Channel;
  steering: Steering;
  onClose(): void;
}

const WEIGHT = { kind: 'count', name: 'weight', min: 1, max: 1000 } as const;

/** An operator's word over the file's; every process counts by it within seconds. */
export function SteerDialog({ channel: { id, weight: before }, steering, onClose }: SteerDialogProps) {
  const form = useForm<{ weight: number | '' }>({ weight: before ?? 1 });
  const { weight } = form.values;
  const weighs = steering === 'weigh';
  return (
    <ChangeDialog
      title={say(`${steering}.title`, { id })}
      about={say(`${steering}.about`)}
      action={say(steering)}
      dangerous={steering === 'disable'}
      path={`/admin/v1/channels/${encodeURIComponent(id)}/${steering}`}
      body={weighs ? { weight } : {}}
      affects={[CHANNELS, 'troubles']}
      disabled={weighs && weight === ''}
      done={say(`${steering}.done`, { id })}
      onClose={onClose}
      {...(weighs && { children: fieldsOf(form, [{ ...WEIGHT, label: say('weight') }]) })}
    />
  );
}
