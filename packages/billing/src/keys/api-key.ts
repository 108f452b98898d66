import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { randomToken } from '@mediagate/contracts';

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

/** In constant time; both are 32 bytes by construction. */
export function hashesMatch(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Of a secret, in ASCII. */
const SECRET_CHARACTERS = 2 * SECRET_BYTES;

/**
 * Whether a secret of `parseApiKey` has this hash, as `hashSecret` makes it, at a third of its cost, for what every request
 * takes: the two hashes of an HMAC (RFC 2104), each of a buffer that stays, where Node's objects for one cost more than both.
 */
export function createSecretMatcher(pepper: string): (secret: string, secretHash: Buffer) => boolean {
  const inner = Buffer.concat([paddedKey(pepper, 0x36), Buffer.alloc(SECRET_CHARACTERS)]);
  const outer = Buffer.concat([paddedKey(pepper, 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  const digest = Buffer.alloc(DIGEST_BYTES);
  return (secret, secretHash) => {
    inner.write(secret, BLOCK_BYTES, 'latin1');
    outer.write(hash('sha256', inner), BLOCK_BYTES, 'hex');
    // What opens a door is not kept.
    inner.fill(0, BLOCK_BYTES);
    digest.write(hash('sha256', outer), 'hex');
    return secret.length === SECRET_CHARACTERS && hashesMatch(digest, secretHash);
  };
}

/** A key longer than a block counts by its hash. */
function paddedKey(key: string, pad: number): Buffer {
  const bytes = Buffer.from(key);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes);
  return Buffer.from(block.map((byte) => byte ^ pad));
}
