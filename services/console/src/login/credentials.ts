import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export interface Credentials {
  user: string;
  password: string;
}

/** True for the one user. Takes as long for a wrong name as for a wrong password. */
export type CheckCredentials = (given: Credentials) => Promise<boolean>;

const DIGEST_BYTES = 32;
const SALT_BYTES = 16;
const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/**
 * Digests are compared, in constant time, so that neither length nor content of what is right shows in the time of the
 * answer. The salt is this process's own: nothing of it is stored.
 */
export async function createCredentialCheck(right: Credentials): Promise<CheckCredentials> {
  const salt = randomBytes(SALT_BYTES);
  const digestName = (name: string) => createHmac('sha256', salt).update(name).digest();
  const userDigest = digestName(right.user);
  const passwordDigest = await derive(right.password, salt, DIGEST_BYTES);
  return async ({ user, password }) => {
    const userFits = timingSafeEqual(digestName(user), userDigest);
    const passwordFits = timingSafeEqual(await derive(password, salt, DIGEST_BYTES), passwordDigest);
    return userFits && passwordFits;
  };
}
