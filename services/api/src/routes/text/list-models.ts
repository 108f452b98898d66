import { GatewayError, message } from '@mediagate/contracts';
import { TEXT_METHODS } from '@mediagate/upstreams';
import { type Call, sendJson } from '../../http/exchange';
import type { FindModels, OfferedModel } from '../../offered-models';
import { TEXT_OPERATION } from './call-text';

interface ModelsDeps {
  models: FindModels;
}

/** GET /gemini/v1beta/models, as the vendor's client asks for it. */
export function createListTextModels({ models }: ModelsDeps): (call: Call) => void {
  return ({ response, caller }) => {
    const offered = models(caller).all.filter(
      ({ entry, available }) => entry.operation === TEXT_OPERATION && available,
    );
    sendJson(response, 200, { models: offered.map(describe) });
  };
}

/** GET /gemini/v1beta/models/{model} */
export function createGetTextModel({ models }: ModelsDeps): (call: Call) => void {
  return ({ request, response, caller }) => {
    const offered = models(caller).find(String(request.params['model']), TEXT_OPERATION);
    if (!offered?.available) throw new GatewayError('not_found', message('model_unknown'), { reason: 'unknown_model' });
    sendJson(response, 200, describe(offered));
  };
}

function describe({ entry }: OfferedModel): object {
  return {
    name: `models/${entry.id}`,
    displayName: entry.id,
    version: String(entry.version),
    supportedGenerationMethods: TEXT_METHODS,
  };
}
