import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { timeOfId } from '@mediagate/contracts';

/** An attempt that an upstream calls back about. */
export interface CalledBack {
  attemptId: string;
  /** Stands for its channel; empty: a former release has made the token. */
  channelTag: string;
}

/** Tokens with which vendors call back about an attempt: each is the last word of a path. */
export interface CallbackTokens {
  /** The same whenever it is made. */
  tokenOf(attemptId: string, channelId: string): string;
  /** The attempt that a genuine token is about; undefined: it was not made here, or is too old to be of a job that is under way. */
  attemptOf(token: string): CalledBack | undefined;
}

const TOKEN = /^(att_([0-9a-hjkmnp-tv-z]{26}))\.(?:([\w-]{8})\.)?([\w-]{43})$/;

/** From the beginning of the attempt: many times what any task may take. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** Signed by the first of the deployment's link secrets and genuine under each, so that no row is read for a token that somebody made up. */
export function createCallbackTokens(secrets: readonly [string, ...string[]]): CallbackTokens {
  const mac = (attemptId: string, channelTag: string, secret: string) => {
    const words = ['vendor-callback', attemptId, ...(channelTag === '' ? [] : [channelTag])];
    return createHmac('sha256', secret).update(words.join('\n')).digest('base64url');
  };
  return {
    tokenOf(attemptId, channelId) {
      const channelTag = tagOf(channelId);
      return `${attemptId}.${channelTag}.${mac(attemptId, channelTag, secrets[0])}`;
    },
    attemptOf(token) {
      const [, attemptId, id, channelTag = '', signature] = TOKEN.exec(token) ?? [];
      if (attemptId === undefined || id === undefined || signature === undefined) return undefined;
      const given = Buffer.from(signature);
      const isBy = (secret: string) => timingSafeEqual(given, Buffer.from(mac(attemptId, channelTag, secret)));
      if (!secrets.some(isBy)) return undefined;
      return Date.now() - timeOfId(id) <= MAX_AGE_MS ? { attemptId, channelTag } : undefined;
    },
  };
}

function tagOf(channelId: string): string {
  return createHash('sha256').update(channelId).digest('base64url').slice(0, 8);
}
