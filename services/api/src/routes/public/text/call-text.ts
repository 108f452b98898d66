import { GatewayError, type Message, message } from '@mediagate/contracts';
import type { TextMethod } from '@mediagate/upstreams';
import type { Request } from 'express';
import type { Api } from '../../../api';
import type { Call } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModels } from '../../../offered-models';
import { chooseModel } from '../../../use-cases/choose-model';
import { describePrice } from '../../../use-cases/estimate-task';
import { readIdempotency } from '../../../use-cases/idempotency';
import { answerText } from '../../../use-cases/text/answer-text';
import { generate, priceText } from '../../../use-cases/text/generate';
import { textError } from '../../../use-cases/text/text-failure';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { streamFraming, wholeFraming } from './framing';
import { findImageModel, generateImages, IMAGE_OPERATION } from './generate-images';
import { openTextWriter } from './open-text-writer';
import { nameFiles } from './part-files';
import { createSendStream, createSendWhole, type SendAnswer } from './send-answer';
import { readTextBody } from './text-body';
import { readTextHeaders } from './text-headers';

export const TEXT_OPERATION = 'text.generate';

interface TextCall {
  method: TextMethod;
  /** Answers stand within `{code, data}`. */
  wrapped: boolean;
}

/** POST …/models/{model}:{method}, in the vendor's own words. */
export function createCallText({ method, wrapped }: TextCall): KeyHandler {
  const senderOf = method === 'streamGenerateContent' ? streamSenders(wrapped) : wholeSender(wrapped);

  return async (call, api) => {
    const { request, response: connection, caller, requestId } = call;
    const models = api.models(caller);
    const name = namedModel(request);
    const found = models.find(name, TEXT_OPERATION);
    const ofImages = found === undefined && method !== 'countTokens' ? findImageModel(models, name) : undefined;
    if (ofImages && method !== 'countTokens') return generateImages(call, { offered: ofImages, method, wrapped }, api);
    const offered = chooseModel(found, caller, () =>
      unknownModel(models, method === 'countTokens' ? [] : [IMAGE_OPERATION]),
    );
    const sought = { model: offered.entry.id, isTest: caller.isTest };
    if (!api.textChannels.serves(sought)) throw textError(undefined);
    const sent = await readTextBody(call);
    const body = { ...sent, json: nameFiles(sent.json, () => api.textChannels.imageTypes(sought)) };
    const headers = readTextHeaders(request);
    const idempotency = readIdempotency(request, `${request.path}${headers.asText}`, body.sent);
    if (method !== 'countTokens' && isDryRun(call)) return sendTextPrice(call, { offered, body, headers }, api);
    const writer = openTextWriter(call, { send: senderOf(request), takesComments: false }, api);
    if (method !== 'countTokens') {
      return generate({ caller, requestId, connection, writer, offered, method, body, headers, idempotency }, api);
    }
    // Free: nothing is reserved, and there is no task.
    const question = {
      model: offered.entry.id,
      owner: caller,
      method,
      body: await body.bytes(body.json),
      json: body.json,
      promptTokens: () => 0,
    };
    const { error } = await answerText(writer, question, api);
    if (error !== undefined) throw error;
  };
}

/** The price of a generation in place of the generation. */
export async function sendTextPrice(
  call: Call,
  { warnings = [], ...text }: Parameters<typeof priceText>[0] & { warnings?: readonly Message[] },
  api: Pick<Api, 'database'>,
): Promise<void> {
  sendEstimate(call, await describePrice(call.caller, { ...priceText(text), warnings: [...warnings] }, api));
}

type SenderOf = (request: Request) => SendAnswer;

function wholeSender(wrapped: boolean): SenderOf {
  const send = createSendWhole(wholeFraming(wrapped));
  return () => send;
}

function streamSenders(wrapped: boolean): SenderOf {
  const events = createSendStream(streamFraming({ wrapped, sse: true }));
  const array = createSendStream(streamFraming({ wrapped, sse: false }));
  return (request) => (request.query['alt'] === 'sse' ? events : array);
}

/** The model's name: the path's parameter up to its last colon. */
function namedModel({ params }: Request): string {
  const word = String(params['model']);
  return word.slice(0, word.lastIndexOf(':'));
}

/** @param others operations that the route offers beside texts. */
export function unknownModel(models: OfferedModels, others: readonly string[] = []): GatewayError {
  const operations = [TEXT_OPERATION, ...others];
  const known = models.all.filter(({ entry }) => operations.includes(entry.operation)).map(({ entry }) => entry.id);
  const about = message('model_unknown_use', { models: known.join(', ') });
  return new GatewayError('not_found', about, { reason: 'unknown_model' });
}
