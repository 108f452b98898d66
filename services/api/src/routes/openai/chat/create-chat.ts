import { metadataFaults } from '@mediagate/catalog';
import { GatewayError, type JsonObject, refusedBody } from '@mediagate/contracts';
import type { MediaLoader } from '@mediagate/media';
import type { Call } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import type { OfferedModel } from '../../../offered-models';
import { chooseModel } from '../../../use-cases/choose-model';
import { missing } from '../../../use-cases/invalid';
import { generate, type TextHeaders } from '../../../use-cases/text/generate';
import { textError } from '../../../use-cases/text/text-failure';
import { isDryRun } from '../../estimates/dry-run';
import { type CallTextDeps, sendTextPrice, TEXT_OPERATION, unknownModel } from '../../text/call-text';
import { openTextWriter } from '../../text/open-text-writer';
import { readTextBody } from '../../text/text-body';
import { readTextHeaders } from '../../text/text-headers';
import { readChatRequest } from './chat-request';
import { bringImages } from './image-links';
import { createSendChunks, createSendCompletion } from './send-chat';

export interface ChatDeps extends CallTextDeps {
  loadMedia: MediaLoader;
}

/** POST /openai/v1/chat/completions: the same generation as by the native endpoint, in other words on both ends. */
export function createChat(deps: ChatDeps): KeyHandler {
  return async (call) => {
    const { json: chat } = await readTextBody(call);
    const offered = chosenModel(chat, call, deps);
    const { body, links, stream, includesUsage } = readChatRequest(chat);
    await bringImages(links, call, deps.loadMedia);
    const text = {
      offered,
      body: { bytes: Buffer.from(JSON.stringify(body)), json: body },
      headers: headersOf(call, chat),
    };
    const inWords = (error: unknown) => Promise.reject(inWordsOfChat(error, chat));
    if (isDryRun(call)) return sendTextPrice(call, text, deps).catch(inWords);
    const completion = { model: offered.entry.id, includesUsage };
    const send = stream ? createSendChunks(completion) : createSendCompletion(completion);
    const { request, response: connection, caller, requestId } = call;
    const writer = openTextWriter(call, send, deps.shutdown);
    const method = stream ? 'streamGenerateContent' : 'generateContent';
    await generate({ ...text, caller, requestId, request, connection, writer, method }, deps).catch(inWords);
  };
}

function chosenModel({ model: name }: JsonObject, { caller }: Call, deps: ChatDeps): OfferedModel {
  const models = deps.models();
  if (typeof name !== 'string' || name.trim() === '') throw missing('model', 'required');
  const offered = chooseModel(models.find(name.trim(), TEXT_OPERATION), caller, () => unknownModel(models));
  if (!deps.textChannels.serves(offered.entry.id)) throw textError(undefined);
  return offered;
}

/** `metadata` stands in the body here, in the same bounds. */
function headersOf({ request }: Call, { metadata }: JsonObject): TextHeaders {
  const headers = readTextHeaders(request);
  if (metadata === undefined) return headers;
  const [fault] = metadataFaults(metadata);
  if (fault) throw refusedBody(fault.code, fault.failures);
  return { ...headers, metadata: metadata as JsonObject, asText: `${headers.asText}\n${JSON.stringify(metadata)}` };
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
