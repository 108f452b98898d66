import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Makes the token of a cookie or link; rows keep its hash alone. It is random enough that a fast hash protects it. */
export function newSecretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Looking a hash up takes the same time whatever a guessed token begins with. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
