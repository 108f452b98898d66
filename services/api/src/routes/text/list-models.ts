import { GatewayError, message } from '@mediagate/contracts';
import { TEXT_METHODS } from '@mediagate/upstreams';
import { sendJson } from '../../http/exchange';
import type { KeyHandler } from '../../http/handler';
import type { OfferedModel } from '../../offered-models';
import { TEXT_OPERATION } from './call-text';

/** GET /gemini/v1beta/models, as the vendor's client asks for it. */
export const listTextModelsHandler: KeyHandler = ({ response, caller }, { models }) => {
  const offered = models(caller).all.filter(({ entry, available }) => entry.operation === TEXT_OPERATION && available);
  sendJson(response, 200, { models: offered.map(describe) });
};

/** GET /gemini/v1beta/models/{model} */
export const getTextModelHandler: KeyHandler = ({ request, response, caller }, { models }) => {
  const offered = models(caller).find(String(request.params['model']), TEXT_OPERATION);
  if (!offered?.available) throw new GatewayError('not_found', message('model_unknown'), { reason: 'unknown_model' });
  sendJson(response, 200, describe(offered));
};

function describe({ entry }: OfferedModel): object {
  return {
    name: `models/${entry.id}`,
    displayName: entry.id,
    version: String(entry.version),
    supportedGenerationMethods: TEXT_METHODS,
  };
}
