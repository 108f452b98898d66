import type { JsonObject } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import type { HttpClient } from '../http-client';
import { askJob, submitJob } from '../job-exchange';
import { list, object, text } from '../json-guards';
import type { VendorReply } from '../vendor-call';
import { klingKey } from './authorization';
import { klingErrors, klingStartErrors } from './errors';

/** The vendor, asked as the account of the context. */
export interface KlingCall {
  get(path: string, context: CallContext): Promise<VendorReply>;
  post(path: string, body: JsonObject, context: CallContext): Promise<VendorReply>;
}

/** `finish`: what a wire changes in the JSON of a body before it is sent. */
export function createKlingCall(http: HttpClient, finish: (json: string) => string = (json) => json): KlingCall {
  return {
    get: (path, context) =>
      askJob(http, context, {
        path,
        key: { credentials: klingKey, endpoint: context.endpoint },
        dialect: klingErrors,
      }),
    post: (path, body, context) =>
      submitJob(http, context, {
        path,
        key: { credentials: klingKey, endpoint: context.endpoint },
        body: { jsonText: finish(JSON.stringify(body)) },
        dialect: klingStartErrors,
        confidential: { apiKey: context.endpoint.apiKey, prompt: wordsIn(body) },
      }),
  };
}

/** The texts that a caller wrote, wherever they stand in a body. */
function wordsIn({ prompt, negative_prompt, multi_prompt, contents, element_description }: JsonObject): string {
  const shots = (list(multi_prompt) ?? []).map((shot) => object(shot)['prompt']);
  const parts = (list(contents) ?? []).map((part) => object(part)['text']);
  return [prompt, negative_prompt, element_description, ...shots, ...parts]
    .flatMap((words) => text(words) ?? [])
    .join('\n');
}
