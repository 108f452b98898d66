import type { Request } from 'express';
import {
  type Call,
  type Endpoint,
  type JsonObject,
  Refusal,
  type Reply,
  type StreamedReply,
} from '../vendor-call/contract';
import { promptOf, readBody } from './body';
import { imageOutput } from './image-output';
import { type Method, supports } from './models';
import type { OutputKind } from './output-kind';
import { checkRequest, type GenerateContentRequest } from './request';
import { textOutput } from './text/text-output';
import { geminiError } from './wire';

/** `POST /v1beta/models/{model}:{method}`, and the same under `/v1`, which the vendor's client takes by default. */
export function createGenerateContent(method: Method): Endpoint<JsonObject, Work> {
  return {
    read: readBody,
    describe: (request, body) => ({ model: modelOf(request), prompt: promptOf(body) }),
    async prepare(body, call) {
      const model = modelOf(call.request);
      if (!supports(model, method)) throw unknownModel(model, method, call.request);
      if (call.request.query['key'] !== undefined) call.warn('the key is in the URL, where it lands in logs');
      const request = checkRequest(body);
      const options = { model, call, method };
      return model.endsWith('-image')
        ? prepared(imageOutput, request, options)
        : prepared(textOutput, request, options);
    },
    isAtOnce: ({ isAtOnce }) => isAtOnce,
    run: async ({ run }, call) => run(call),
  };
}

/** The prepared work of whichever kind of model was asked for. */
interface Work {
  isAtOnce: boolean;
  run(call: Call): Reply | StreamedReply | Promise<Reply>;
}

async function prepared<Job>(
  kind: OutputKind<Job>,
  request: GenerateContentRequest,
  { method, ...options }: { model: string; call: Call; method: Method },
): Promise<Work> {
  const job = await kind.prepare(request, options);
  const { stream, isAtOnce } = kind;
  if (method === 'streamGenerateContent' && stream) return { isAtOnce, run: (call) => stream(job, call) };
  return { isAtOnce, run: (call) => kind.run(job, call) };
}

export function modelOf(request: Request): string {
  return String(request.params['model']);
}

export function unknownModel(model: string, method: Method, request: Request): Refusal {
  const version = request.path.split('/')[1];
  const message = `models/${model.slice(0, 100)} is not found for API version ${version}, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`;
  return new Refusal(geminiError('NOT_FOUND', message));
}
