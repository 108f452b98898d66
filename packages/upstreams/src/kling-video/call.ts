import type { JsonObject } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import type { HttpClient } from '../http-client';
import { jobCallBounds, questionBounds } from '../job-call';
import { list, object, text } from '../json-guards';
import { callVendor, type VendorReply } from '../vendor-call';
import { authorization } from './authorization';
import { klingErrors, klingStartErrors } from './errors';

/** The vendor, asked as the account of the context. */
export interface KlingCall {
  get(path: string, context: CallContext): Promise<VendorReply>;
  post(path: string, body: JsonObject, context: CallContext): Promise<VendorReply>;
}

export function createKlingCall(http: HttpClient): KlingCall {
  return {
    get: (path, context) =>
      callVendor(http, {
        ...questionBounds(context),
        method: 'GET',
        url: context.endpoint.baseUrl + path,
        headers: authorization(context.endpoint.apiKey),
        dialect: klingErrors,
        confidential: { apiKey: context.endpoint.apiKey },
      }),
    post: (path, body, context) =>
      callVendor(http, {
        ...jobCallBounds(context),
        method: 'POST',
        url: context.endpoint.baseUrl + path,
        headers: { ...authorization(context.endpoint.apiKey), 'content-type': 'application/json' },
        body: { jsonText: jsonOf(body) },
        dialect: klingStartErrors,
        confidential: { apiKey: context.endpoint.apiKey, prompt: wordsIn(body) },
      }),
  };
}

/**
 * Ids of elements are longs, which a double rounds: they are kept as text and sent as digits. A quote within a text is
 * escaped, so that no text of a caller looks like one.
 */
function jsonOf(body: JsonObject): string {
  return JSON.stringify(body).replace(/"element_id":"(\d{1,19})"/g, '"element_id":$1');
}

/** What a caller wrote of a body, wherever it is in it. */
function wordsIn({ prompt, negative_prompt, multi_prompt, element_description }: JsonObject): string {
  const shots = (list(multi_prompt) ?? []).map((shot) => object(shot)['prompt']);
  return [prompt, negative_prompt, element_description, ...shots].flatMap((words) => text(words) ?? []).join('\n');
}
