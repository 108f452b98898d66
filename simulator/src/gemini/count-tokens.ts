import type { JsonObject, Question } from '../vendor-call/contract';
import { isJsonObject } from '../vendor-call/request-body';
import { promptOf, readBody } from './body';
import { modelOf, unknownModel } from './generate-content';
import { supports } from './models';
import { checkRequest } from './request';
import { promptTokensOf } from './text/tokens';
import { invalidArgument } from './wire';

interface Asked {
  model: string;
  body: JsonObject;
}

/** `POST /v1beta/models/{model}:countTokens`, of contents alone or of a whole request for an answer. */
export const countTokens: Question<Asked> = {
  operation: 'question',
  find: async (request) => ({ model: modelOf(request), body: await readBody(request) }),
  about: ({ model, body }) => ({ model, prompt: promptOf(countedIn(body)), body }),
  answer({ model, body }, { request }) {
    if (!supports(model, 'countTokens')) throw unknownModel(model, 'countTokens', request);
    const whole = body['generateContentRequest'];
    if (whole !== undefined && body['contents'] !== undefined) {
      throw invalidArgument('Only one of contents and generate_content_request may be set.');
    }
    const { total, details } = promptTokensOf(checkRequest(countedIn(body)));
    return { status: 200, body: { totalTokens: total, promptTokensDetails: details } };
  },
};

function countedIn(body: JsonObject): JsonObject {
  const whole = body['generateContentRequest'];
  return isJsonObject(whole) ? whole : body;
}
