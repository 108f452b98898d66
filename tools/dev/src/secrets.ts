import { randomBytes } from 'node:crypto';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import type { Home } from './home';

export interface Secrets {
  /** Key of the hash under which API keys are stored: changing it alone makes every key invalid. */
  keyPepper: string;
  /** The one before, while keys under it are left; written by who rotates it. */
  previousKeyPepper: string | undefined;
  linkSecret: string;
  /** The one before, while links of it are out; written by who rotates it. */
  previousLinkSecret: string | undefined;
  /** Seals the vendors' keys that the database keeps. */
  sealingSecret: string;
  /** The one before, while keys that it sealed are left; written by who rotates it. */
  previousSealingSecret: string | undefined;
  consolePassword: string;
  /** Seals what stands for users of the console. */
  consoleSecret: string;
  /** The password of the Redis that is started here. */
  redisPassword: string;
  /** Signs results where the configuration file says so; nobody trusts it. */
  signing: { certificate: string; key: string };
}

type Given = Record<keyof Omit<Secrets, 'redisPassword' | 'signing'>, string | undefined>;

const FILE = 'secrets.json';
const SECRET_BYTES = 32;

/** Made once and kept, unless the environment gives them. */
export function openSecrets(home: Home, given: Given): Secrets {
  const kept = home.read<Partial<Secrets>>(FILE) ?? {};
  const complete: Secrets = {
    keyPepper: kept.keyPepper ?? newSecret(),
    previousKeyPepper: kept.previousKeyPepper,
    linkSecret: kept.linkSecret ?? newSecret(),
    previousLinkSecret: kept.previousLinkSecret,
    sealingSecret: kept.sealingSecret ?? newSecret(),
    previousSealingSecret: kept.previousSealingSecret,
    consolePassword: kept.consolePassword ?? newSecret(),
    consoleSecret: kept.consoleSecret ?? newSecret(),
    redisPassword: kept.redisPassword ?? newSecret(),
    signing: kept.signing ?? makeDevelopmentCertificate(),
  };
  home.write(FILE, complete);
  return {
    ...complete,
    keyPepper: given.keyPepper ?? complete.keyPepper,
    previousKeyPepper: given.previousKeyPepper ?? complete.previousKeyPepper,
    linkSecret: given.linkSecret ?? complete.linkSecret,
    previousLinkSecret: given.previousLinkSecret ?? complete.previousLinkSecret,
    sealingSecret: given.sealingSecret ?? complete.sealingSecret,
    previousSealingSecret: given.previousSealingSecret ?? complete.previousSealingSecret,
    consolePassword: given.consolePassword ?? complete.consolePassword,
    consoleSecret: given.consoleSecret ?? complete.consoleSecret,
  };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
