import { metadataFaults } from '@mediagate/catalog';
import { GatewayError, type JsonObject, type Message, refusedBody } from '@mediagate/contracts';
import type { Api } from '../../../api';
import type { Call } from '../../../http/exchange';
import { afterOthers } from '../../../http/json/after-others';
import { makeJsonSafe } from '../../../http/json/json-safety';
import { writeJson } from '../../../http/json/write-json';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModel } from '../../../offered-models';
import { chooseModel } from '../../../use-cases/choose-model';
import { readIdempotency } from '../../../use-cases/idempotency';
import { invalid, missing } from '../../../use-cases/invalid';
import type { MaxCost } from '../../../use-cases/price-task';
import { isStrict, requireNothingIgnored } from '../../../use-cases/strict';
import { generate, priceText, type TextBody, type TextHeaders } from '../../../use-cases/text/generate';
import { refuseEarly } from '../../../use-cases/text/refuse-early';
import { textError } from '../../../use-cases/text/text-failure';
import { isDryRun } from '../estimates/dry-run';
import { sendTextPrice, TEXT_OPERATION, unknownModel } from '../text/call-text';
import { openTextWriter } from '../text/open-text-writer';
import type { SendAnswer } from '../text/send-answer';
import { readTextBody, type SentText } from '../text/text-body';
import { readTextHeaders } from '../text/text-headers';
import type { ReadingLimits } from './field-reader';
import { bringImages, type ImageLink } from './image-links';

/** A request as the text models take it. */
export interface ReadText {
  /** The request in the shape of the native endpoint. */
  body: JsonObject;
  stream: boolean;
  /** Images that are not fetched yet; the smallest of images stands in their parts of the body. */
  links: readonly ImageLink[];
  maxCost: MaxCost | undefined;
  /** False: the model is to call one function at a time. */
  parallelToolCalls: boolean;
  /** Fields that were ignored. */
  warnings: readonly Message[];
  /** The field of the caller's that a file was made of, by its field in the shape of the native endpoint; undefined: that is about no file. */
  fieldOfFile(native: string): string | undefined;
  /** Sends the answer of the model of that id. */
  answer(model: string): SendAnswer;
}

/** One of the shapes in which OpenAI's clients ask for a text. */
export interface TextDialect {
  read(sent: JsonObject, limits: ReadingLimits): Promise<ReadText>;
  /** The field of the body that a field of the native endpoint was made of. */
  fieldOf(native: string, sent: JsonObject): string;
}

/** POST /openai/v1/chat/completions and its like: the same generation as by the native endpoint, in other words on both ends. */
export function createText(dialect: TextDialect): KeyHandler {
  return async (call, api) => {
    const text = await readTextBody(call);
    await answerText(call, text, { dialect, api }).catch((error: unknown) => {
      const isKnown = error instanceof GatewayError;
      return Promise.reject(isKnown ? error.withFields((name) => dialect.fieldOf(name, text.json)) : error);
    });
  };
}

interface Means {
  dialect: TextDialect;
  api: Api;
}

async function answerText(call: Call, { sent, json }: SentText, { dialect, api }: Means): Promise<void> {
  const offered = chosenModel(json, call, api);
  const { request, memory } = call;
  const isStrictlyRead = isStrict(request);
  const imageTypes = () => imageTypesOf(offered, call, api);
  const takeMemory = (bytes: number) => {
    const refused = memory.take(bytes);
    if (refused) throw refused;
  };
  const read = await dialect.read(json, { takeMemory, imageTypes });
  if (isStrictlyRead) requireNothingIgnored(read.warnings, []);
  await afterOthers(sent);
  await answerRead(call, { sent, json, offered, read }, api).catch((error: unknown) => {
    const isKnown = error instanceof GatewayError;
    return Promise.reject(isKnown ? error.withFields((name) => read.fieldOfFile(name) ?? name) : error);
  });
}

interface Asked extends Pick<SentText, 'sent' | 'json'> {
  offered: OfferedModel;
  read: ReadText;
}

async function answerRead(call: Call, { sent, json, offered, read }: Asked, api: Api): Promise<void> {
  const { request, response: connection, caller, requestId } = call;
  const { body, links, stream, maxCost, parallelToolCalls, warnings } = read;
  const headers = headersOf(call, json, maxCost);
  const writer = openTextWriter(call, { send: read.answer(offered.entry.id), takesComments: stream }, api);
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
    const imageTypes = imageTypesOf(offered, call, api);
    await bringImages(links, call, { loadMedia: api.loadMedia, imageTypes });
  }
  const whole = { ...text, body: toTextBody(body) };
  await (isPriceAsked ? sendTextPrice(call, { ...whole, warnings }, api) : generate(whole, api));
}

function imageTypesOf({ entry }: OfferedModel, { caller }: Call, { textChannels }: Api): string[] {
  return textChannels.imageTypes({ model: entry.id, isTest: caller.isTest });
}

function toTextBody(json: JsonObject): TextBody {
  return { bytes: (body) => writeJson(body), json };
}

function chosenModel({ model: name }: JsonObject, { caller }: Call, api: Api): OfferedModel {
  const models = api.models(caller);
  if (name !== undefined && typeof name !== 'string') throw invalid('model', 'must_be_string');
  if (name === undefined || name.trim() === '') throw missing('model', 'required');
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
