import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Browsers in which somebody has signed in can prove it, for that user alone; nothing is kept here. */
export interface KnownDevices {
  /** What the browser keeps. */
  issue(email: string): string;
  /** The device's id, or undefined when the proof is not one of ours, or another user's. */
  verify(proof: string, email: string): string | undefined;
}

const ID_BYTES = 16;
const KEY_BYTES = 32;

/** @param secret of the deployment, so that proofs outlive a restart and count in every console. */
export function createKnownDevices(secret: string): KnownDevices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mediagate console device', KEY_BYTES));
  const sign = (id: string, email: string) => createHmac('sha256', key).update(`${id} ${email}`).digest();
  return {
    issue(email) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      return `${id}.${sign(id, email).toString('base64url')}`;
    },
    verify(proof, email) {
      const [id = '', signature = ''] = proof.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = sign(id, email);
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
  };
}
