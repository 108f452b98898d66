import { createHash } from 'node:crypto';
import type { Fault } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';
import type { Credentials, Endpoint } from './contract';

/** Headers that stand for a key for a while. */
export interface Token {
  headers: Readonly<Record<string, string>>;
  /** Counted from when the token was asked for. */
  validForMs: number;
}

/** Fetches a token with a channel's key, within a time of its own. Throws nothing that a vendor or the network does. */
export type FetchToken = (endpoint: Endpoint) => Promise<Token | Fault>;

/** Tokens that are kept at once, one for each key and host. */
const MAX_TOKENS = 1_000;
/** A token is not shown in its last minute: the vendor's clock may be ahead of ours, and calls take their time. */
const SPARE_MS = 60_000;

interface Kept {
  token: Promise<Token | Fault>;
  /** Undefined while it is fetched. */
  headers?: Readonly<Record<string, string>>;
}

/** Tokens are fetched once for all calls that need one at the same time, and kept until they end or the vendor refuses them. */
export function createTokenCredentials(fetchToken: FetchToken): Credentials {
  const kept = new LRUCache<string, Kept>({ max: MAX_TOKENS });

  function fetchFor(place: string, endpoint: Endpoint): Kept {
    const entry: Kept = { token: fetchToken(endpoint) };
    const forget = () => kept.peek(place) === entry && kept.delete(place);
    kept.set(place, entry);
    entry.token.then(
      (token) => {
        if ('code' in token) return forget();
        entry.headers = token.headers;
        return kept.peek(place) === entry && kept.set(place, entry, { ttl: Math.max(token.validForMs - SPARE_MS, 1) });
      },
      // Whoever waits for it has the error.
      forget,
    );
    return entry;
  }

  return {
    async show({ endpoint }) {
      const place = placeOf(endpoint);
      const token = await (kept.get(place) ?? fetchFor(place, endpoint)).token;
      return 'code' in token ? { ok: false, fault: token } : { ok: true, headers: token.headers };
    },
    renew({ endpoint }, refused) {
      const place = placeOf(endpoint);
      // Another call may have renewed it already.
      if (kept.peek(place)?.headers === refused) kept.delete(place);
      return true;
    },
  };
}

/** Not the key itself: what is looked up by it stays in memory. */
function placeOf({ apiKey, baseUrl }: Endpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([apiKey, baseUrl]))
    .digest('base64');
}
