import { GatewayError, message } from '@mediagate/contracts';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';

/** GET /openai/v1/models: what can be had now, each under its id and its aliases. */
export const listOpenAiModels: KeyHandler = ({ response, caller }, { models }) => {
  const available = models(caller).all.filter((model) => model.available);
  const names = new Set(available.flatMap(({ entry }) => [entry.id, ...entry.aliases]));
  sendJson(response, 200, { object: 'list', data: [...names].map(describe) });
};

/** GET /openai/v1/models/{model}, by id or alias. */
export const getOpenAiModel: KeyHandler = ({ request, response, caller }, { models }) => {
  const name = String(request.params['model']);
  const [entry] = models(caller)
    .operationsOf(name)
    .filter(({ available }) => available)
    .map((model) => model.entry);
  if (!entry) throw new GatewayError('not_found', message('model_not_found'), { reason: 'unknown_model' });
  const asListed = [entry.id, ...entry.aliases].find((each) => each.toLowerCase() === name.toLowerCase());
  sendJson(response, 200, describe(asListed ?? entry.id));
};

/** Models have no date in the catalogue. */
function describe(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'mediagate' };
}
