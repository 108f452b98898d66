import type { components } from './generated/api.ts';
import { type RequestOptions, request } from './request.ts';

export type Answers = components['schemas']['Answers'];

/** Where the console passes requests on to the gateway, under the credential of who is signed in. */
const GATEWAY = '/api';

/** Asks the callers' or the operators' API: `ask<Answers['listTasks']>('/v1/tasks', { query })`. @throws ApiError */
export function ask<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
  return request<Answer>(GATEWAY + path, options);
}
