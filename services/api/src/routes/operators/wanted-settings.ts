import { readFields, SETTINGS_LEAD_MS, type SettingsOutcome, type WantedSettings } from '@mediagate/channels';
import { type Failure, failureOf, message, oneOfEachField, refusedBody } from '@mediagate/contracts';
import type { FieldFault } from '@mediagate/settings';
import type { Response } from 'express';
import { requireChanged } from '../../http/answers/answer-change';
import type { BodyFields } from '../../http/fields/body-fields';
import { invalid, unknownId } from '../../use-cases/invalid';
import { readMoment } from './moment';

/** `settings` and `effective_at` of a body: fields in the words of the configuration file. */
export function readSettings(body: BodyFields): WantedSettings {
  const given = body.json('settings');
  const effectiveAt = readMoment(body);
  const fields = readFields(given);
  if (given === undefined || given === null) body.refuse('missing_parameter', 'settings', 'required');
  else if (fields === undefined) body.refuse('invalid_parameter', 'settings', 'must_be_object');
  return { fields: fields ?? {}, effectiveAt };
}

/** @throws GatewayError for what was not set. */
export async function requireSet(response: Response, outcome: SettingsOutcome): Promise<void> {
  if (outcome.kind === 'faulty') throw refusedBody('invalid_request', failuresOf(outcome.faults));
  if (outcome.kind === 'too_soon') {
    throw invalid('effective_at', 'must_be_seconds_ahead', { seconds: SETTINGS_LEAD_MS / 1000 });
  }
  const duplicate = { message: message('already_done'), param: 'id' };
  await requireChanged(response, outcome, { unchanged: unknownId, duplicate });
}

/** Failures in the words that faults of the file have. */
function failuresOf(faults: readonly FieldFault[]): ReturnType<typeof oneOfEachField> {
  const failures = faults.map(({ field, message: problem }): Failure => {
    const param = field === '' ? 'settings' : `settings.${field}`;
    return failureOf('invalid_parameter', param, ['setting_refused', { problem }]);
  });
  return oneOfEachField(failures as [Failure, ...Failure[]]);
}
