import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KnownUser } from '@mediagate/identity';

/** A browser, and the user who has signed in there. */
export interface KnownDevice {
  /** Stays the same when its user, or another, signs in there again. */
  id: string;
  user: KnownUser;
}

/** Browsers in which a user has signed in before can prove it, for that user alone; nothing is kept here. */
export interface KnownDevices {
  /**
   * Makes the proof that the browser keeps.
   * @param former the device that the same browser has proven, or undefined.
   */
  issue(user: KnownUser, former: KnownDevice | undefined): string;
  /** Undefined: the proof is not one of ours. Whether its user still has that generation is the database's to say. */
  verify(proof: string): KnownDevice | undefined;
}

const ID_BYTES = 16;
const KEY_BYTES = 32;

/** @param secret of the deployment, so that proofs outlive a restart and count in every console. */
export function createKnownDevices(secret: string): KnownDevices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mediagate console device of a user', KEY_BYTES));
  const sign = (signed: string) => createHmac('sha256', key).update(signed).digest();
  return {
    issue({ id: userId, generation }, former) {
      const id = former?.id ?? randomBytes(ID_BYTES).toString('base64url');
      const signed = `${id}.${userId}.${generation}`;
      return `${signed}.${sign(signed).toString('base64url')}`;
    },
    verify(proof) {
      const [id = '', userId = '', generation = '', signature = ''] = proof.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = sign(`${id}.${userId}.${generation}`);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return { id, user: { id: userId, generation: Number(generation) } };
    },
  };
}
