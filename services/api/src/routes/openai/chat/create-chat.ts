import { metadataFaults } from '@mediagate/catalog';
import { GatewayError, type JsonObject, refusedBody } from '@mediagate/contracts';
import type { Api } from '../../../api';
import { afterOthers } from '../../../http/after-others';
import type { Call } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { makeJsonSafe } from '../../../http/json-safety';
import { writeJson } from '../../../http/write-json';
import type { OfferedModel } from '../../../offered-models';
import { chooseModel } from '../../../use-cases/choose-model';
import { readIdempotency } from '../../../use-cases/idempotency';
import { missing } from '../../../use-cases/invalid';
import type { MaxCost } from '../../../use-cases/max-cost';
import { requireNothingIgnored } from '../../../use-cases/strict-submission';
import { generate, priceText, type TextBody, type TextHeaders } from '../../../use-cases/text/generate';
import { refuseEarly } from '../../../use-cases/text/refuse-early';
import { textError } from '../../../use-cases/text/text-failure';
import { isDryRun } from '../../estimates/dry-run';
import { isStrict } from '../../strict';
import { sendTextPrice, TEXT_OPERATION, unknownModel } from '../../text/call-text';
import { openTextWriter } from '../../text/open-text-writer';
import { readTextBody, type SentText } from '../../text/text-body';
import { readTextHeaders } from '../../text/text-headers';
import { readChatRequest } from './chat-request';
import { bringImages } from './image-links';
import { createSendChunks, createSendCompletion } from './send-chat';

/** POST /openai/v1/chat/completions: the same generation as by the native endpoint, in other words on both ends. */
export const createChatHandler: KeyHandler = async (call, api) => {
  const text = await readTextBody(call);
  await answerChat(call, text, api).catch((error) => Promise.reject(inWordsOfChat(error, text.json)));
};

async function answerChat(call: Call, { sent, json: chat }: SentText, api: Api): Promise<void> {
  const offered = chosenModel(chat, call, api);
  const { request, response: connection, caller, requestId, memory } = call;
  const isStrictlyRead = isStrict(request);
  const read = await readChatRequest(chat, (bytes) => {
    const refused = memory.take(bytes);
    if (refused) throw refused;
  });
  const { body, links, stream, includesUsage, maxCost, parallelToolCalls, warnings } = read;
  if (isStrictlyRead) requireNothingIgnored(warnings, []);
  await afterOthers(sent);
  const headers = headersOf(call, chat, maxCost);
  const completion = { model: offered.entry.id, includesUsage, warnings };
  const send = stream ? createSendChunks(completion) : createSendCompletion(completion);
  const writer = openTextWriter(call, send, api);
  const method = stream ? 'streamGenerateContent' : 'generateContent';
  const idempotency = readIdempotency(request, `${request.path}${headers.asText}`, sent);
  const text = {
    caller,
    requestId,
    connection,
    offered,
    headers,
    writer,
    method,
    parallelToolCalls,
    idempotency,
  } as const;
  const isPriceAsked = isDryRun(call);
  if (links.length > 0) {
    const withoutFiles = { ...text, body: toTextBody(body) };
    if (isPriceAsked) priceText(withoutFiles);
    else await refuseEarly(withoutFiles, api);
    await bringImages(links, call, api.loadMedia);
  }
  const whole = { ...text, body: toTextBody(body) };
  await (isPriceAsked ? sendTextPrice(call, { ...whole, warnings }, api) : generate(whole, api));
}

function toTextBody(json: JsonObject): TextBody {
  return { bytes: (body) => writeJson(body), json };
}

function chosenModel({ model: name }: JsonObject, { caller }: Call, api: Api): OfferedModel {
  const models = api.models(caller);
  if (typeof name !== 'string' || name.trim() === '') throw missing('model', 'required');
  const offered = chooseModel(models.find(name.trim(), TEXT_OPERATION), caller, () => unknownModel(models));
  if (!api.textChannels.serves({ model: offered.entry.id, isTest: caller.isTest })) throw textError(undefined);
  return offered;
}

/** `metadata` stands in the body here, in the same bounds; it alone of this body is kept. `max_cost` may stand there too: the lower one counts. */
function headersOf({ request }: Call, { metadata }: JsonObject, maxCost: MaxCost | undefined): TextHeaders {
  const headers = readTextHeaders(request);
  const lowest = lower(headers.maxCost, maxCost);
  if (metadata !== undefined) {
    const [fault] = metadataFaults(metadata);
    if (fault) throw refusedBody(fault.code, fault.failures);
    makeJsonSafe(metadata);
  }
  return {
    ...headers,
    ...(metadata === undefined ? {} : { metadata: metadata as JsonObject }),
    ...(lowest === undefined ? {} : { maxCost: lowest }),
  };
}

function lower(one: MaxCost | undefined, other: MaxCost | undefined): MaxCost | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.amount < other.amount ? one : other;
}

/** Fields of the native body by the names that chat completions have for them. */
const CHAT_FIELDS: Readonly<Record<string, string>> = {
  contents: 'messages',
  'generationConfig.temperature': 'temperature',
  'generationConfig.topP': 'top_p',
  'generationConfig.topK': 'top_k',
  'generationConfig.seed': 'seed',
  'generationConfig.presencePenalty': 'presence_penalty',
  'generationConfig.frequencyPenalty': 'frequency_penalty',
  'generationConfig.stopSequences': 'stop',
  'generationConfig.responseJsonSchema': 'response_format',
};

function inWordsOfChat(error: unknown, chat: JsonObject): unknown {
  return error instanceof GatewayError ? error.withFields((name) => chatField(name, chat)) : error;
}

function chatField(name: string, chat: JsonObject): string {
  if (name === 'generationConfig.maxOutputTokens') {
    return chat['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens';
  }
  return CHAT_FIELDS[name] ?? name;
}
