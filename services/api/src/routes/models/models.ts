import { GatewayError, nanoToNumber } from '@mediagate/contracts';
import { type Call, sendJson } from '../../http/exchange';
import type { OfferedModel, OfferedModels } from '../../offered-models';

export interface ModelsDeps {
  models(): OfferedModels;
}

const MS_PER_HOUR = 3_600_000;

/** GET /models: what this deployment has, without the schemas. */
export function createListModels({ models }: ModelsDeps): (call: Call) => void {
  return ({ response }) => sendJson(response, 200, { code: 200, data: models().all.map(summary) });
}

/** GET /models/{id}, by id or alias: the same with the JSON Schema of the body and examples that parse. */
export function createGetModel({ models }: ModelsDeps): (call: Call) => void {
  return ({ request, response }) => {
    const model = models().find(String(request.params['id']));
    if (!model) throw new GatewayError('not_found', 'Model not found.');
    const { schema, examples } = model.entry;
    sendJson(response, 200, { code: 200, data: { ...summary(model), schema, examples } });
  };
}

function summary({ entry, rates, available }: OfferedModel): object {
  return {
    id: entry.id,
    aliases: entry.aliases,
    family: entry.family,
    kind: entry.kind,
    operation: entry.operation,
    available,
    /** Currency units by unit name. */
    prices: Object.fromEntries(Object.entries(rates).map(([unit, nano]) => [unit, nanoToNumber(nano)])),
    result_lifetime_hours: entry.resultLifetimeMs / MS_PER_HOUR,
    unsupported_parameters: entry.unsupportedParameters,
  };
}
