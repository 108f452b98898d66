import type { JsonObject } from '@mediagate/contracts';
import type { ChangeRequest, SettingStep, StoredSettings } from '@mediagate/database';
import { type FieldFault, storedSecretOf } from '@mediagate/settings';
import { openOverridden } from './apply-overrides';
import {
  beforeOf,
  change,
  inEffect,
  type Judged,
  type SettingsOutcome,
  type SettingsRefusal,
  statesFrom,
  stepsOf,
  TIMED_FIELDS,
  type WantedSettings,
} from './change-settings';
import type { ChangedChannels } from './channels';
import { keyDestinationFaults } from './key-destination';
import { foldSteps } from './setting-schedule';

const MAX_CHANNELS = 1000;

/** Sets fields of a channel over the file. `unchanged`: neither the file nor an operator knows it. */
export function changeChannel(
  channels: ChangedChannels,
  channelId: string,
  { wanted, request }: { wanted: WantedSettings; request: ChangeRequest },
): Promise<SettingsOutcome> {
  return change(channels, request, (stored) => {
    const written = channels.inFile().get(channelId);
    const steps = stepsOf(stored, 'channels', channelId);
    if (written === undefined && steps.length === 0) return undefined;
    return judgedChannel({ channelId, written, steps, stored, wanted }, channels);
  });
}

/** Adds a channel that the file does not have. `duplicate`: the file or an operator has one of that id. */
export async function addChannel(
  channels: ChangedChannels,
  channelId: string,
  { wanted, request }: { wanted: WantedSettings; request: ChangeRequest },
): Promise<SettingsOutcome> {
  let isThere = false;
  const outcome = await change(channels, request, (stored) => {
    const written = channels.inFile().get(channelId);
    const steps = stepsOf(stored, 'channels', channelId);
    isThere = written !== undefined || isKnown(steps);
    // Models and costs of a removed channel of this name end before the new settings count, so its steps are left out.
    return isThere ? undefined : judgedChannel({ channelId, written, steps: [], stored, wanted }, channels);
  });
  return isThere && outcome.kind === 'unchanged' ? { kind: 'duplicate' } : outcome;
}

/**
 * Takes back all that operators have set of a channel, also for later, so that the file counts. A channel that only operators know
 * loses only the state and weight they set. `unchanged`: neither the file nor an operator knows it.
 */
export function resetChannel(
  channels: ChangedChannels,
  channelId: string,
  request: ChangeRequest,
): Promise<SettingsOutcome> {
  return change(channels, request, (stored) => {
    const written = channels.inFile().get(channelId);
    const steps = stepsOf(stored, 'channels', channelId);
    if (written === undefined && steps.length === 0) return undefined;
    const isOwn = written === undefined && steps.some(({ field }) => field === 'protocol');
    const given = steps.filter(({ field }) => !isOwn || field === 'state' || field === 'weight');
    return givenBack(channelId, given, written);
  });
}

/** Takes away a channel that operators alone know, at once: without a protocol it is none. `unchanged`: there is none. */
export function removeChannel(
  channels: ChangedChannels,
  channelId: string,
  request: ChangeRequest,
): Promise<SettingsOutcome> {
  return change(channels, request, (stored) => {
    const steps = stepsOf(stored, 'channels', channelId);
    if (channels.inFile().has(channelId) || steps.length === 0) return undefined;
    const given = givenBack(channelId, steps, undefined);
    const atOnce = Object.keys(given.wanted.fields).filter((field) => !TIMED_FIELDS.has(field));
    return { ...given, atOnce };
  });
}

/** Now or from a moment on. One that was removed has no protocol, and for some seconds still the models and costs that it had. */
function isKnown(steps: readonly SettingStep[]): boolean {
  return steps.some(({ field, value }) => field === 'protocol' && value !== null);
}

interface ChannelChange {
  channelId: string;
  written: JsonObject | undefined;
  steps: readonly SettingStep[];
  stored: StoredSettings;
  wanted: WantedSettings;
}

/** Whole and right at its moment, and at each later one for which something is set already. */
function judgedChannel(
  { channelId, written, steps, stored, wanted }: ChannelChange,
  { reader, inFile }: ChangedChannels,
): Judged | SettingsRefusal {
  const faults: FieldFault[] = 'id' in wanted.fields ? [{ field: 'id', message: 'is in the path, and stays' }] : [];
  for (const { channels } of statesFrom(wanted, { section: 'channels', name: channelId, steps })) {
    const set = channels.get(channelId);
    const source = { ...written, ...set, id: channelId };
    const opened = openOverridden({ source, set, written }, { reader });
    if (opened.kind === 'faulty') faults.push(...opened.faults);
    faults.push(...secretFaults(source, stored));
  }
  if (faults.length === 0) faults.push(...keyDestinationFaults({ channelId, written, steps, wanted }, reader));
  const isNew = written === undefined && steps.length === 0;
  if (isNew && countChannels(stored, inFile()) >= MAX_CHANNELS)
    faults.push({ field: 'id', message: `there are ${MAX_CHANNELS} channels already` });
  if (faults.length > 0) return { kind: 'faulty', faults: oneOfEach(faults) };
  const set = foldSteps(inEffect(steps)).channels.get(channelId) ?? {};
  return { section: 'channels', name: channelId, before: beforeOf(wanted.fields, { ...written, ...set }), wanted };
}

function secretFaults({ api_key: key }: JsonObject, { secrets }: StoredSettings): FieldFault[] {
  const name = storedSecretOf(key);
  if (name === undefined || secrets.some((secret) => secret.name === name)) return [];
  return [{ field: 'api_key', message: `there is no secret ${name} in the database` }];
}

function countChannels({ steps }: StoredSettings, inFile: ReadonlyMap<string, JsonObject>): number {
  const named = steps.filter(({ section }) => section === 'channels').map(({ name }) => name);
  return new Set([...inFile.keys(), ...named]).size;
}

function oneOfEach(faults: readonly FieldFault[]): FieldFault[] {
  return [...new Map(faults.map((fault) => [`${fault.field}\n${fault.message}`, fault])).values()];
}

function givenBack(channelId: string, steps: readonly SettingStep[], written: JsonObject | undefined): Judged {
  const fields = Object.fromEntries(steps.map(({ field }) => [field, null]));
  const set = foldSteps(inEffect(steps)).channels.get(channelId) ?? {};
  const before = beforeOf(fields, { ...written, ...set });
  return { section: 'channels', name: channelId, before, wanted: { fields }, endsLater: true };
}
