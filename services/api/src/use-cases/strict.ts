import type { IncomingHttpHeaders } from 'node:http';
import {
  type Failure,
  failureOf,
  fieldFailure,
  isJsonObject,
  type JsonObject,
  type Message,
  refuseAll,
} from '@mediagate/contracts';
import { invalid } from './invalid';

/** The warnings that something was ignored, as refusals; others tell what was done with a field. */
export function requireNothingIgnored(warnings: readonly Message[], dropped: readonly string[]): void {
  const unread = dropped.map((field) => fieldFailure('unsupported_parameter', field, 'meaningless'));
  refuseAll([...warnings.flatMap(ignoredField), ...unread]);
}

/** Turns a warning that a field was ignored into a failure that says what is wrong with the field. */
function ignoredField({ key, params }: Message): Failure[] {
  const { field, other, values, problem } = params;
  if (!key.startsWith('ignored_') || typeof field !== 'string') return [];
  const refuse = (...about: Parameters<typeof failureOf>[2]) => [failureOf('unsupported_parameter', field, about)];
  switch (key) {
    case 'ignored_unknown':
      return refuse('meaningless');
    case 'ignored_for_problem':
      return refuse('about_field', { problem });
    case 'ignored_not_one_of':
      return refuse('must_be_one_of', { values });
    case 'ignored_without':
    case 'ignored_goes_with':
      return refuse('requires', { other });
    default:
      return refuse('would_be_ignored');
  }
}

/**
 * The header `Strict`: what would be ignored is to be refused.
 *
 * @throws GatewayError `invalid_request`, naming the header.
 */
export function isStrict({ headers }: { headers: IncomingHttpHeaders }): boolean {
  const asked = String(headers['strict'] ?? 'false')
    .trim()
    .toLowerCase();
  if (asked !== 'true' && asked !== 'false' && asked !== '')
    throw invalid('Strict', 'must_be_one_of', { values: 'true, false' });
  return asked === 'true';
}

/** Fields that a route does not read, where it has a schema of its own. */
export function meaninglessFields(sent: JsonObject, { properties }: JsonObject): Failure[] {
  const known = isJsonObject(properties) ? properties : {};
  const unknown = Object.keys(sent).filter((field) => !Object.hasOwn(known, field));
  return unknown.map((field) => fieldFailure('unsupported_parameter', field, 'meaningless'));
}
