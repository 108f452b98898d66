import { type Failure, fieldFailure, isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { Request } from 'express';
import { invalid } from '../../use-cases/invalid';

/**
 * The header `Strict`: what would be ignored is to be refused.
 *
 * @throws GatewayError `invalid_request`, naming the header.
 */
export function isStrict({ headers }: Pick<Request, 'headers'>): boolean {
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
