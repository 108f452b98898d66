import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Fault, isJsonObject, type JsonObject } from '@mediagate/contracts';
import { sign } from 'jsonwebtoken';
import type { Endpoint } from './contract';
import type { HttpClient } from './http-client';
import { decimal, text } from './json-guards';
import type { FetchToken, Token } from './token-credentials';
import { lostFault } from './vendor-call';

/*
 * Service accounts of Google, by which Vertex is called: an assertion signed by the account's key is given for a token (RFC 7523;
 * developers.google.com/identity/protocols/oauth2/service-account, read November 2026; googleapis/google-auth-library-nodejs).
 */

const GOOGLE = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The vendor's most. */
const ASSERTION_SECONDS = 3600;
const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;

/** An account's key is the JSON file that Google gives out, also one that is damaged; other keys are shown as they are. */
export function isServiceAccount({ apiKey }: Endpoint): boolean {
  return JSON_BEGINS.test(apiKey);
}

/** No other key begins so: what may hold a private one is never shown. */
const JSON_BEGINS = /^\s*["[{]/;

/** Gives an account's key for a token of an hour. */
export function createGoogleTokens(http: HttpClient): FetchToken {
  return async (endpoint) => {
    const account = readAccount(endpoint);
    if ('code' in account) return account;
    const reply = await http.send({
      method: 'POST',
      url: account.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { fields: { grant_type: GRANT, assertion: assertionOf(account) } },
      // Everybody who waits shares the token, so no one caller's signal ends the request.
      signal: new AbortController().signal,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: ANSWER_MAX_BYTES,
      isSecret: true,
    });
    if (reply.kind === 'lost') return { code: 'not_accepted', detail: `no token: ${lostFault(reply).detail}` };
    const body = reply.body.kind === 'json' && isJsonObject(reply.body.value) ? reply.body.value : {};
    return reply.status === 200 ? readToken(body) : refusal(reply.status, body);
  };
}

interface Account {
  email: string;
  key: KeyObject;
  keyId: string | undefined;
  tokenUrl: string;
}

function readAccount({ apiKey, baseUrl }: Endpoint): Account | Fault {
  const fields = parse(apiKey);
  const [email, pem] = [text(fields['client_email']), text(fields['private_key'])];
  const key = pem === undefined ? undefined : parseKey(pem);
  if (email === undefined || key === undefined) return unusable('holds no client_email or no private_key');
  const tokenUrl = text(fields['token_uri']) ?? GOOGLE;
  // Whoever may set a key must not have a process call hosts that it alone reaches. Of the channel's origin it is https wherever
  // that is, which the API demands.
  const isOwn = URL.parse(tokenUrl)?.origin === URL.parse(baseUrl)?.origin;
  if (tokenUrl !== GOOGLE && !isOwn)
    return unusable("names a token_uri that is neither Google's nor of the channel's host");
  return { email, key, keyId: text(fields['private_key_id']), tokenUrl };
}

function parse(apiKey: string): JsonObject {
  try {
    const value: unknown = JSON.parse(apiKey);
    return isJsonObject(value) ? value : {};
  } catch {
    // Its message quotes the key.
    return {};
  }
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function unusable(why: string): Fault {
  return { code: 'operator', detail: `not sent: the channel's key ${why}` };
}

function assertionOf({ email, key, keyId, tokenUrl }: Account): string {
  return sign({ iss: email, scope: SCOPE, aud: tokenUrl }, key, {
    algorithm: 'RS256',
    expiresIn: ASSERTION_SECONDS,
    ...(keyId === undefined ? {} : { keyid: keyId }),
  });
}

function readToken(body: JsonObject): Token | Fault {
  const token = text(body['access_token']);
  const seconds = decimal(body['expires_in']);
  if (token === undefined || seconds === undefined)
    return { code: 'not_accepted', detail: 'no token: not in the answer' };
  return { headers: { authorization: `Bearer ${token}` }, validForMs: seconds * 1000 };
}

/** An account that is gone, disabled or has another key, against a vendor that is busy or out of order. */
function refusal(status: number, { error }: JsonObject): Fault {
  const isOurs = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const word = /^[a-z_]{1,40}$/.exec(text(error) ?? '')?.[0] ?? '';
  return { code: isOurs ? 'operator' : 'not_accepted', detail: `no token: HTTP ${status} ${word}`.trim() };
}
