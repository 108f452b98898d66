import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Browsers that have logged in with the password of today can prove it; nothing is kept here. */
export interface KnownDevices {
  /** What the browser keeps. */
  issue(): string;
  /** The device's id, or undefined when the proof is not one of ours. */
  verify(proof: string): string | undefined;
}

const ID_BYTES = 16;
const KEY_BYTES = 32;
/** Fixed, so that proofs outlive a restart. */
const SALT = 'mediagate console device';
const derive = promisify<string, string, number, Buffer>(scrypt);

/** The key is derived from the password: a new password ends every proof, and guessing it from a proof is as slow as at the login. */
export async function createKnownDevices(password: string): Promise<KnownDevices> {
  const key = await derive(password, SALT, KEY_BYTES);
  const sign = (id: string) => createHmac('sha256', key).update(id).digest();
  return {
    issue() {
      const id = randomBytes(ID_BYTES).toString('base64url');
      return `${id}.${sign(id).toString('base64url')}`;
    },
    verify(proof) {
      const [id = '', signature = ''] = proof.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = sign(id);
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
  };
}
