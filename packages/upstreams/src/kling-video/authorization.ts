import { sign } from 'jsonwebtoken';
import { staticKey } from '../send-with-key';

/** The vendor's own figures. In seconds. */
const VALID_FOR_SECONDS = 1800;
/** For a vendor's clock that is behind ours. */
const VALID_SINCE_SECONDS = 5;

export const klingKey = staticKey(({ apiKey }) => authorization(apiKey));

/**
 * The header of one call. A key is sent as it is; a pair written `access:secret` signs a token of half an hour, anew for
 * each call, so that no call meets the end of one.
 */
export function authorization(apiKey: string, nowMs: number = Date.now()): Record<string, string> {
  const colon = apiKey.indexOf(':');
  const token = colon === -1 ? apiKey : signedToken(apiKey.slice(0, colon), apiKey.slice(colon + 1), nowMs);
  return { authorization: `Bearer ${token}` };
}

function signedToken(accessKey: string, secretKey: string, nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  const claims = { iss: accessKey, exp: now + VALID_FOR_SECONDS, nbf: now - VALID_SINCE_SECONDS };
  return sign(claims, secretKey, { algorithm: 'HS256', noTimestamp: true });
}
