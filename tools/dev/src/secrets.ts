import { randomBytes } from 'node:crypto';
import type { Home } from './home';

export interface Secrets {
  /** Key of the hash under which API keys are stored: changing it makes every key invalid. */
  keyPepper: string;
  linkSecret: string;
}

const FILE = 'secrets.json';
const SECRET_BYTES = 32;

/** Made once and kept, unless the environment gives them. */
export function openSecrets(home: Home, given: { [Name in keyof Secrets]: string | undefined }): Secrets {
  let kept = home.read<Secrets>(FILE);
  if (kept === undefined) {
    kept = { keyPepper: newSecret(), linkSecret: newSecret() };
    home.write(FILE, kept);
  }
  return { keyPepper: given.keyPepper ?? kept.keyPepper, linkSecret: given.linkSecret ?? kept.linkSecret };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
