import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { randomToken } from '@mediagate/contracts';
import type { HashRenewal } from '@mediagate/database';

/**
 * An API key is `mg_<public id>_<secret>`, one of tests `mg_test_<public id>_<secret>`: the id finds the row, the secret proves
 * possession. The secret has 256 random bits, so a fast keyed hash protects it as well as a slow one would.
 */
export interface ApiKeyParts {
  id: string;
  secret: string;
  isTest: boolean;
}

const ID_CHARACTERS = 12;
const SECRET_BYTES = 32;
const PATTERN = /^mg_(test_)?([0-9a-hjkmnp-tv-z]{12})_([0-9a-f]{64})$/;

export function newApiKey(isTest = false): ApiKeyParts {
  return { id: randomToken(ID_CHARACTERS), secret: randomBytes(SECRET_BYTES).toString('hex'), isTest };
}

export function formatApiKey({ id, secret, isTest }: ApiKeyParts): string {
  return `mg_${isTest ? 'test_' : ''}${id}_${secret}`;
}

/** Undefined for whatever cannot be a key, before anything is looked up. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const [, test, id, secret] = PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret, isTest: test !== undefined };
}

/** HMAC-SHA256 of the secret under the deployment's pepper: a stolen table alone proves nothing. 32 bytes. */
export function hashSecret(pepper: string, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/** Compares in constant time; both are 32 bytes by construction. */
export function hashesMatch(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The row of a key or token. */
interface Stored {
  id: string;
  secretHash: Buffer;
}

/** False: it is another secret. A renewal: it is the right one, hashed under a former pepper. */
export type SecretVerdict = boolean | HashRenewal;

/**
 * Compares secrets with what is stored of them: hashed under the first of the peppers or, while keys are left of it, under one behind it.
 * An absent one is compared, too, so that the time taken does not tell.
 */
export function createSecretJudge(peppers: Peppers): (secret: string, stored: Stored | undefined) => SecretVerdict {
  const [pepper, ...formerPeppers] = peppers;
  return (secret, stored) => {
    const { id = '', secretHash = NO_HASH } = stored ?? {};
    const to = hashSecret(pepper, secret);
    if (hashesMatch(to, secretHash)) return stored !== undefined;
    const isFormer = formerPeppers.map((former) => hashesMatch(hashSecret(former, secret), secretHash)).includes(true);
    return isFormer && stored !== undefined && { id, from: secretHash, to };
  };
}

/** Keys of the hash of secrets: the one that new hashes are made under, and those that still count. */
export type Peppers = readonly [string, ...string[]];

const NO_HASH = Buffer.alloc(32);

type TokenParts = Pick<ApiKeyParts, 'id' | 'secret'>;

/** `mgo_<public id>_<secret>`: made as an API key is, and never taken for one. */
const TOKEN_PATTERN = /^mgo_([0-9a-hjkmnp-tv-z]{12})_([0-9a-f]{64})$/;

export function formatOperatorToken({ id, secret }: TokenParts): string {
  return `mgo_${id}_${secret}`;
}

/** Undefined for whatever cannot be a token, before anything is looked up. */
export function parseOperatorToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN_PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}
