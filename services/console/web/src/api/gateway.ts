import type { components } from './generated/api.ts';
import { type Method, open, type RequestOptions, request } from './request.ts';

export type Answers = components['schemas']['Answers'];

/** Where the console passes requests on to the gateway, under the credential of who is signed in. */
const GATEWAY = '/api';

/** The paths that the console itself answers, in the same shape as the gateway. */
const OWN = /^\/(?:users|session|processes)\b/;

function addressOf(path: string): string {
  return OWN.test(path) ? path : GATEWAY + path;
}

/** Asks the callers' or the operators' API: `ask<Answers['listTasks']>('/v1/tasks', { query })`. @throws ApiError */
export function ask<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
  return request<Answer>(addressOf(path), options);
}

/** Changes something. A repetition after a lost answer, with the same key, has no second effect. @throws ApiError */
export function change<Answer>(
  method: Exclude<Method, 'GET'>,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  return request<Answer>(addressOf(path), { method, body, ...(headers && { headers }) });
}

/** The address of an operation, for what the browser loads by itself: event streams, images, downloads. */
export function gatewayPath(path: string): string {
  return GATEWAY + path;
}

/**
 * A result's or upload's signed link by way of the console, so that the page needs no other origin. Links that lead
 * elsewhere, as to a storage of its own, stay as they are.
 */
export function mediaPath(link: string): string {
  const url = URL.parse(link);
  return url?.pathname.startsWith('/v1/files/') ? gatewayPath(url.pathname + url.search) : link;
}
/** A text that is no JSON, as a CSV. @throws ApiError */
export async function askText(path: string, { accept, query }: TextOptions): Promise<string> {
  const response = await open(GATEWAY + path, { headers: { Accept: accept }, ...(query && { query }) });
  return response.text();
}

interface TextOptions {
  accept: string;
  query?: RequestOptions['query'];
}
