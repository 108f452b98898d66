import { exactSeconds, type JsonObject } from '@mediagate/contracts';
import type { ChangeRequest, SettingStep } from '@mediagate/database';
import type { FieldFault } from '@mediagate/settings';
import {
  beforeOf,
  change,
  inEffect,
  readStored,
  type SettingsOutcome,
  statesFrom,
  stepsOf,
  type WantedSettings,
} from './change-settings';
import type { ChangedChannels, Channels } from './channels';
import { describeScheduled } from './describe-channel';
import { foldSteps } from './setting-schedule';

/** When callbacks are tried again: what the file says, and what operators have set over it. */
export interface CallbackSchedule {
  file: ReturnType<Channels['webhooksInFile']>;
  fields: JsonObject;
  /** The last of what counts; undefined: nothing is set. */
  latest: SettingStep | undefined;
  scheduled: SettingStep[];
}

export async function readSchedule({
  database,
  webhooksInFile,
}: Pick<Channels, 'database' | 'webhooksInFile'>): Promise<CallbackSchedule> {
  const steps = (await readStored(database)).steps.filter(({ section }) => section === 'webhooks');
  const counting = inEffect(steps);
  return {
    file: webhooksInFile(),
    fields: foldSteps(counting).webhooks,
    latest: counting.at(-1),
    scheduled: steps.filter(({ effectiveInMs }) => effectiveInMs > 0),
  };
}

/** As operators see it. */
export function describeSchedule({ file, fields, latest, scheduled }: CallbackSchedule) {
  const inFile = { retry_delays_seconds: file.retryDelaysSeconds, timeout_seconds: file.timeoutSeconds };
  const override = latest && {
    fields,
    set_by: latest.setBy,
    set_at: exactSeconds(latest.effectiveAt),
    reason: latest.reason,
  };
  return {
    ...inFile,
    ...fields,
    file: inFile,
    override: override ?? null,
    scheduled: scheduled.map(describeScheduled),
  };
}

/** Sets the schedule of callbacks over the file. */
export function changeWebhooks(
  channels: ChangedChannels,
  { wanted, request }: { wanted: WantedSettings; request: ChangeRequest },
): Promise<SettingsOutcome> {
  return change(channels, request, (stored) => {
    const steps = stepsOf(stored, 'webhooks', '');
    const faults = unknownFields(wanted.fields, WEBHOOK_FIELDS);
    const states = statesFrom(wanted, { section: 'webhooks', name: '', steps }).map(({ webhooks }) =>
      channels.reader.webhooks(webhooks),
    );
    for (const state of states) if ('faults' in state) faults.push(...state.faults);
    if (faults.length > 0) return { kind: 'faulty', faults };
    return {
      section: 'webhooks',
      name: '',
      before: beforeOf(wanted.fields, foldSteps(inEffect(steps)).webhooks),
      wanted,
    };
  });
}

/** The others say where callbacks may go, which is the file's alone. */
const WEBHOOK_FIELDS = ['retry_delays_seconds', 'timeout_seconds'] as const;

function unknownFields(fields: JsonObject, known: readonly string[]): FieldFault[] {
  return Object.keys(fields)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, message: `cannot be set here: use one of ${known.join(', ')}` }));
}
