import type { JsonObject } from '@mediagate/contracts';
import { mayBePublic } from '@mediagate/egress';
import type { FieldFault } from './settings-error';

const NOT_PUBLIC =
  'must lead to a public address: name others in the configuration file, or their origin in CHANNEL_ALLOW_ORIGINS';
const NOT_HTTPS =
  'must be https: name an http:// address in the configuration file, or its origin in CHANNEL_ALLOW_ORIGINS';

/**
 * Where fields that operators have set must not lead: whoever may set a field by the API must not reach with it what a process
 * reaches. Names are judged again as they are connected to. Keys and prompts
 * go over the internet by TLS alone.
 */
export function setAddressFaults(
  { base_url: set }: JsonObject,
  { written = {}, allowOrigins }: { written: JsonObject | undefined; allowOrigins: ReadonlySet<string> },
): FieldFault[] {
  const url = urlOf(set);
  // A text that is no URL is a fault of the channel itself.
  if (url === null || url.origin === urlOf(written['base_url'])?.origin || allowOrigins.has(url.origin)) return [];
  if (!mayBePublic(url)) return [{ field: 'base_url', message: NOT_PUBLIC }];
  return url.protocol === 'https:' ? [] : [{ field: 'base_url', message: NOT_HTTPS }];
}

function urlOf(text: unknown): URL | null {
  return typeof text === 'string' ? URL.parse(text) : null;
}
