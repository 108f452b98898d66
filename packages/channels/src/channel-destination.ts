import { createHash } from 'node:crypto';
import type { Channel } from '@mediagate/settings';

const DIGEST_CHARACTERS = 32;

/**
 * Names everything that decides where a model's jobs are asked about, and as what: all but the key, which may change at any moment.
 * Channels of the same destination know the same jobs.
 */
export function destinationOf({ protocol, baseUrl, options, models }: Channel, model: string): string {
  const text = JSON.stringify([protocol, baseUrl, options, models.get(model) ?? null]);
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS);
}

/** Where a base URL leads: scheme, host and path. As written where it names variables in place of its host. */
export function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : baseUrl;
}
