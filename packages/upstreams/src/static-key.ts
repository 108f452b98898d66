import type { Credentials, Endpoint } from './contract';

/** The credentials of a vendor that takes the channel's key as it is. */
export function staticKey(headersOf: (endpoint: Endpoint) => Record<string, string>): Credentials {
  return { show: ({ endpoint }) => ({ ok: true, headers: headersOf(endpoint) }) };
}
