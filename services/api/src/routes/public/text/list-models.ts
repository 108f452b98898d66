import { GatewayError, message } from '@mediagate/contracts';
import { TEXT_METHODS } from '@mediagate/upstreams';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModel } from '../../../offered-models';
import { TEXT_OPERATION } from './call-text';
import { findImageModel, IMAGE_OPERATION } from './generate-images';

/** Methods by the operation of the models. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  [TEXT_OPERATION]: TEXT_METHODS,
  [IMAGE_OPERATION]: ['generateContent', 'streamGenerateContent'],
};

/** GET /gemini/v1beta/models, as the vendor's client asks for it. */
export const listTextModels: KeyHandler = ({ response, caller }, { models }) => {
  const offered = models(caller).all.filter(
    ({ entry, available }) => available && Object.hasOwn(METHODS, entry.operation),
  );
  sendJson(response, 200, { models: offered.map(describe) });
};

/** GET /gemini/v1beta/models/{model} */
export const getTextModel: KeyHandler = ({ request, response, caller }, { models }) => {
  const [found, name] = [models(caller), String(request.params['model'])];
  const offered = found.find(name, TEXT_OPERATION) ?? findImageModel(found, name);
  if (!offered?.available) throw new GatewayError('not_found', message('model_unknown'), { reason: 'unknown_model' });
  sendJson(response, 200, describe(offered));
};

function describe({ entry }: OfferedModel): object {
  return {
    name: `models/${entry.id}`,
    displayName: entry.id,
    version: String(entry.version),
    supportedGenerationMethods: METHODS[entry.operation] ?? [],
  };
}
