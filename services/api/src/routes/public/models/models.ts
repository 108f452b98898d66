import { GatewayError, message, nanoToNumber } from '@mediagate/contracts';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModel } from '../../../offered-models';

const MS_PER_HOUR = 3_600_000;

/** GET /models: what this deployment has, without the schemas. */
export const listModels: KeyHandler = ({ response, caller }, { models }) =>
  sendJson(response, 200, { code: 200, data: models(caller).all.map(summary) });

/**
 * GET /models/{id}, by id or alias: the same with the JSON Schema of the body and examples that parse. A model that several
 * operations offer has them all in `operations`, and at the top the first.
 */
export const getModel: KeyHandler = ({ request, response, caller }, { models }) => {
  const [first, ...others] = models(caller).operationsOf(String(request.params['model'])).map(description);
  if (!first) throw new GatewayError('not_found', message('model_not_found'), { reason: 'unknown_model' });
  sendJson(response, 200, {
    code: 200,
    data: others.length === 0 ? first : { ...first, operations: [first, ...others] },
  });
};

function description(model: OfferedModel): object {
  const { schema, examples } = model.entry;
  return { ...summary(model), schema, examples };
}

function summary({ entry, prices, available, isPaused }: OfferedModel): object {
  return {
    id: entry.id,
    aliases: entry.aliases,
    family: entry.family,
    kind: entry.kind,
    operation: entry.operation,
    available: available && !isPaused,
    /** Currency units by unit name, or by billing key. */
    prices: Object.fromEntries(Object.entries(prices()).map(([unit, nano]) => [unit, nanoToNumber(nano)])),
    result_lifetime_hours: entry.resultLifetimeMs / MS_PER_HOUR,
    unsupported_parameters: entry.unsupportedParameters,
  };
}
