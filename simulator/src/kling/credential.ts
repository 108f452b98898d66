import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject, parseJson } from '../vendor-call/request-body';

export interface KlingFault {
  code: number;
  message: string;
}

const API_KEY = 'sim-kling-key';
const ACCESS_KEY = 'sim-kling-access-key';
const SECRET_KEY = 'sim-kling-secret-key';

/** The vendor's own machines and a caller's need not agree to the second. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * Says what is wrong with an `authorization` header; undefined when it is good. It carries the plain key, or a JSON Web Token
 * that the secret key signed. Real time counts: callers sign by it, however the simulator's clock has been moved.
 */
export function faultOfCredential(authorization: string | undefined, nowMs: number): KlingFault | undefined {
  if (authorization === undefined || authorization === '') return { code: 1001, message: 'Authorization is empty' };
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1];
  if (token === undefined) return { code: 1002, message: 'Authorization is invalid' };
  return token === API_KEY ? undefined : faultOfToken(token, nowMs / 1_000);
}

function faultOfToken(token: string, nowSeconds: number): KlingFault | undefined {
  const invalid = { code: 1002, message: 'Authorization is invalid' };
  const [head = '', payload = '', signature = '', ...rest] = token.split('.');
  const header = decode(head);
  const claims = decode(payload);
  if (!header || !claims || rest.length > 0) return invalid;
  if (header['alg'] !== 'HS256' || header['typ'] !== 'JWT') return invalid;
  if (!signatureFits(`${head}.${payload}`, signature) || claims['iss'] !== ACCESS_KEY) return invalid;
  const { exp, nbf } = claims;
  if (!Number.isInteger(exp) || !Number.isInteger(nbf)) return invalid;
  if (Number(nbf) > nowSeconds + CLOCK_SKEW_SECONDS) return { code: 1003, message: 'Authorization is not yet valid' };
  if (Number(exp) <= nowSeconds) return { code: 1004, message: 'Authorization has expired' };
  return undefined;
}

function decode(part: string): Record<string, unknown> | undefined {
  const value = parseJson(Buffer.from(part, 'base64url'));
  return isJsonObject(value) ? value : undefined;
}

function signatureFits(signed: string, signature: string): boolean {
  const expected = createHmac('sha256', SECRET_KEY).update(signed).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
