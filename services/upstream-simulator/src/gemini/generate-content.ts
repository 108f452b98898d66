import type { Request } from 'express';
import { type Call, type Endpoint, type JsonObject, Refusal, type Reply } from '../vendor-call/contract';
import { isJsonObject, parseJson, readBytes, textOf } from '../vendor-call/request-body';
import { imageOutput } from './image-output';
import { checkRequest } from './request';
import { geminiError, invalidArgument } from './wire';

const outputKinds = new Map([['gemini-2.5-flash-image', imageOutput]]);

const MAX_BODY_BYTES = 20_971_520;

/** `POST /v1beta/models/{model}:generateContent`, and the same under `/v1`, which the vendor's client takes by default. */
export const generateContent: Endpoint<JsonObject, Work> = {
  read: readBody,
  describe: (request, body) => ({ model: modelOf(request), prompt: promptOf(body) }),
  async prepare(body, { request, warn }) {
    const model = modelOf(request);
    const kind = outputKinds.get(model);
    if (!kind) throw unknownModel(model, request);
    if (request.query['key'] !== undefined) warn('the key is in the URL, where it lands in logs');
    const job = await kind.prepare(checkRequest(body), model);
    return (call) => kind.run(job, call);
  },
  run: (work, call) => work(call),
};

/** The prepared work of whichever kind of model was asked for. */
type Work = (call: Call) => Promise<Reply>;

async function readBody(request: Request): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  if (read.kind === 'too-large') {
    throw invalidArgument(`Request payload size exceeds the limit: ${MAX_BODY_BYTES} bytes.`);
  }
  const body = parseJson(read.bytes);
  if (isJsonObject(body)) return body;
  throw invalidArgument('Invalid JSON payload received. Unexpected token.');
}

function modelOf(request: Request): string {
  return String(request.params['model']);
}

/** The texts of the last turn, before anything is known to have the right shape. */
function promptOf(body: JsonObject): string {
  const contents = Array.isArray(body['contents']) ? body['contents'] : [];
  const last: unknown = contents.at(-1);
  const parts = isJsonObject(last) && Array.isArray(last['parts']) ? last['parts'] : [];
  const texts = parts.map((part: unknown) => (isJsonObject(part) ? textOf(part['text']) : ''));
  return texts.filter((text) => text !== '').join('\n');
}

function unknownModel(model: string, request: Request): Refusal {
  const version = request.path.split('/')[2];
  const message = `models/${model.slice(0, 100)} is not found for API version ${version}, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
  return new Refusal(geminiError('NOT_FOUND', message));
}
