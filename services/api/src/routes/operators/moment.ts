import type { BodyFields } from '../../http/fields/body-fields';

/** The year 9999: far below what a column holds. */
const MAX_SECONDS = 253_402_300_799;

/** `effective_at`: from when a change counts; undefined: as soon as it can. */
export function readMoment(fields: BodyFields): Date | undefined {
  const seconds = fields.json('effective_at');
  if (seconds === undefined || seconds === null) return undefined;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_SECONDS)
    return new Date(seconds * 1000);
  fields.refuse('invalid_parameter', 'effective_at', 'must_be_unix_time', { example: '1795305600' });
  return undefined;
}
