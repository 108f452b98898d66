import type { Catalogue } from '@mediagate/catalog';
import { failureOf, type GatewayError, refusedBody } from '@mediagate/contracts';
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

/** Refuses to list tasks of a model that there has never been. One that the catalogue has no more may still have tasks. */
export function refuseUnknownModel(
  { model }: { model?: string | null },
  { catalogue }: { catalogue: Pick<Catalogue, 'entries'> },
): void {
  if (model == null || catalogue.entries.some(({ id }) => id === model)) return;
  throw refusedBody('invalid_request', [failureOf('unknown_model', 'model', ['model_unknown'])]);
}
