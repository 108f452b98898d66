import type { GatewayError } from '@mediagate/contracts';
import type { OfferedModel } from '../offered-models';
import { type Caller, requireModel } from './caller';

/**
 * The model that was found, where the key may use it.
 *
 * @param unknown says, as the route does, that there is none.
 * @throws GatewayError `permission`, or what `unknown` makes.
 */
export function chooseModel(
  found: OfferedModel | undefined,
  caller: Caller,
  unknown: () => GatewayError,
): OfferedModel {
  if (found === undefined) throw unknown();
  requireModel(caller, found.entry.id);
  return found;
}
