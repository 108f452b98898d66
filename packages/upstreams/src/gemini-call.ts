import type { Credentials, Endpoint } from './contract';
import { createGoogleTokens, isServiceAccount } from './google-account';
import type { HttpClient } from './http-client';
import { staticKey } from './send-with-key';
import { createTokenCredentials } from './token-credentials';

/*
 * Address and key, which all methods of the Gemini API share, at the vendor's own host and at Vertex.
 */

/** The URL of a method of the endpoint's model, as `generateContent`. */
export function methodUrl(endpoint: Endpoint, method: string): string {
  return endpoint.baseUrl + methodPath(endpoint, method);
}

export function methodPath({ model }: Endpoint, method: string): string {
  return `/models/${encodeURIComponent(model)}:${method}`;
}

/** Whether a channel is Vertex: its address names the maker of the models, and its operations and videos have their own shapes. */
export function isVertex({ baseUrl }: Pick<Endpoint, 'baseUrl'>): boolean {
  return baseUrl.endsWith('/publishers/google');
}

/** The key goes in a header: as a query parameter it would reach every log on the way. */
const plainKey = staticKey(({ apiKey }) => ({ 'x-goog-api-key': apiKey }));

/** A key is shown as it is; that of a service account, as Vertex wants it, stays here and is given for tokens. */
export function createGeminiKey(http: HttpClient): Credentials {
  const accounts = createTokenCredentials(createGoogleTokens(http));
  return {
    show: (context) => (isServiceAccount(context.endpoint) ? accounts : plainKey).show(context),
    renew: (context, refused) => isServiceAccount(context.endpoint) && (accounts.renew?.(context, refused) ?? false),
  };
}
