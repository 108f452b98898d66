import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a vendor is given to call back about an attempt with, as the last word of a path. */
export interface CallbackTokens {
  /** The same whenever it is made. */
  tokenOf(attemptId: string): string;
  /** The attempt of a genuine token; undefined: nobody made it here. */
  attemptOf(token: string): string | undefined;
}

const TOKEN = /^(att_[0-9a-hjkmnp-tv-z]{26})\.([\w-]{43})$/;

/** Signed by the deployment's link secret, so that no row is read for a token that somebody made up. */
export function createCallbackTokens(secret: string): CallbackTokens {
  const mac = (attemptId: string) =>
    createHmac('sha256', secret).update(`vendor-callback\n${attemptId}`).digest('base64url');
  return {
    tokenOf: (attemptId) => `${attemptId}.${mac(attemptId)}`,
    attemptOf(token) {
      const [, attemptId, signature] = TOKEN.exec(token) ?? [];
      if (attemptId === undefined || signature === undefined) return undefined;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(mac(attemptId))) ? attemptId : undefined;
    },
  };
}
