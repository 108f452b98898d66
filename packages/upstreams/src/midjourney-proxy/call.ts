import type { JsonObject } from '@mediagate/contracts';
import type { CallContext, Endpoint } from '../contract';
import type { HttpClient } from '../http-client';
import { askJob, bearer, questionBounds, submitJob } from '../job-exchange';
import { count, present } from '../json-guards';
import { unreadable, type VendorReply } from '../vendor-call';
import { ACCEPTED_CODES, proxyErrors, proxyQueryErrors, submitFault } from './errors';

/** The server, asked as the account of the context. */
export interface ProxyCall {
  /** A task as it stands. */
  fetch(taskId: string, context: CallContext): Promise<VendorReply>;
  /** The answer is empty, whatever came of it: only `fetch` tells. */
  cancel(taskId: string, context: CallContext): Promise<void>;
  /** An answer that is no acceptance is a fault. `prompt`: what the caller wrote, where that is known. */
  submit(submission: { path: string; body: JsonObject; prompt?: string }, context: CallContext): Promise<VendorReply>;
}

export function createProxyCall(http: HttpClient): ProxyCall {
  return {
    fetch: (taskId, context) =>
      askJob(http, context, {
        path: `/mj/task/${encodeURIComponent(taskId)}/fetch`,
        headers: authorization(context.endpoint),
        dialect: proxyQueryErrors,
      }),
    async cancel(taskId, context) {
      await http.send({
        ...questionBounds(context),
        method: 'POST',
        url: `${context.endpoint.baseUrl}/mj/task/${encodeURIComponent(taskId)}/cancel`,
        headers: authorization(context.endpoint),
      });
    },
    async submit({ path, body, prompt }, context) {
      const { apiKey } = context.endpoint;
      const reply = await submitJob(http, context, {
        path,
        headers: authorization(context.endpoint),
        body: { json: body },
        dialect: proxyErrors,
        confidential: present<{ apiKey: string; prompt?: string }>({ apiKey, prompt }),
      });
      if (!reply.ok) return { ...reply, fault: submitFault(reply.fault) };
      if (ACCEPTED_CODES.has(count(reply.body['code']))) return reply;
      return { ok: false, fault: unreadable('no code of an acceptance') };
    },
  };
}

export function authorization(endpoint: Endpoint): Record<string, string> {
  return endpoint.options['auth'] === 'bearer' ? bearer(endpoint) : { 'mj-api-secret': endpoint.apiKey };
}
