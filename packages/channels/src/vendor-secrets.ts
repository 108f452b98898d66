import { exactSeconds, type JsonObject } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  type ListedSecret,
} from '@mediagate/database';
import { createSealer, SEALING_SECRET_MIN_CHARACTERS, type Sealer } from '@mediagate/sealing';
import { storedSecretOf } from '@mediagate/settings';

/** Seals and opens the keys of vendors. */
export type VendorSealer = Sealer;

/** As the environment has them; both may be absent. */
interface SealingVariables {
  MEDIAGATE_SEALING_SECRET: string | undefined;
  MEDIAGATE_PREVIOUS_SEALING_SECRET: string | undefined;
}

/**
 * Seals and opens the keys of vendors that the database keeps; undefined: there is no secret for it.
 *
 * @throws Error where the secret is too short to protect anything.
 */
export function openVendorSealer({
  MEDIAGATE_SEALING_SECRET: secret,
  MEDIAGATE_PREVIOUS_SEALING_SECRET: former,
}: SealingVariables): Sealer | undefined {
  if (secret === undefined) return undefined;
  if (secret.length < SEALING_SECRET_MIN_CHARACTERS)
    throw new Error(`MEDIAGATE_SEALING_SECRET is shorter than ${SEALING_SECRET_MIN_CHARACTERS} characters`);
  return createSealer(former === undefined ? [secret] : [secret, former]);
}

/** What stands for a key of a vendor where it is shown. */
export interface ShownSecret extends Omit<ListedSecret, 'sealed'> {
  /** Channels that name it. */
  channels: string[];
  /** False: it is sealed under a key that this process does not have. */
  canBeOpened: boolean;
}

export interface SecretDeps {
  database: Pick<
    Database,
    'findChange' | 'setVendorSecret' | 'resealVendorSecret' | 'removeVendorSecret' | 'listVendorSecrets'
  >;
  /** Undefined: this process has no key for them. */
  sealer: Sealer | undefined;
}

/** Seals a key of a vendor under a name, in place of the one before. Every process that has the key for it counts by it within two seconds. */
export async function setSecret(
  { database, sealer }: SecretDeps,
  { name, value }: { name: string; value: string },
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  if (sealer === undefined) throw new Error('there is no key to seal a secret under');
  const sealed = sealer.seal(value, placeOf(name));
  return await changeOnce(database, request, () => database.setVendorSecret({ name, sealed }, request));
}

/** `unchanged`: there is none of that name. */
export function removeSecret({ database }: SecretDeps, name: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.removeVendorSecret(name, request));
}

/** By name, without what they are. */
export async function listSecrets(
  { database, sealer }: SecretDeps,
  sources: ReadonlyMap<string, JsonObject>,
): Promise<ShownSecret[]> {
  const secrets = await database.listVendorSecrets();
  return secrets.map(({ sealed, ...secret }) => ({
    ...secret,
    channels: channelsNaming(secret.name, sources),
    canBeOpened: sealer !== undefined && openSecret(sealer, { name: secret.name, sealed }) !== undefined,
  }));
}

function channelsNaming(name: string, sources: ReadonlyMap<string, JsonObject>): string[] {
  return [...sources].flatMap(([id, { api_key: key }]) => (storedSecretOf(key) === name ? [id] : [])).sort();
}

/** Seals what a former key has sealed under the present one. How many there were; one that is set anew meanwhile stays as it is set. */
export async function resealSecrets({ database }: SecretDeps, sealer: Sealer, request: ChangeRequest): Promise<number> {
  const secrets = await database.listVendorSecrets();
  for (const { name, sealed } of secrets) {
    const value = openSecret(sealer, { name, sealed });
    if (value === undefined) throw new Error(`the secret ${name} opens under none of the keys: set it again`);
    await database.resealVendorSecret({ name, from: sealed, sealed: sealer.seal(value, placeOf(name)) }, request);
  }
  return secrets.length;
}

/** Undefined: it is sealed under another key. */
export function openSecret(
  sealer: Sealer,
  { name, sealed }: Pick<ListedSecret, 'name' | 'sealed'>,
): string | undefined {
  return sealer.open(sealed, placeOf(name));
}

function placeOf(name: string): string {
  return `vendor_secrets/${name}`;
}

/** As operators see it. */
export function describeSecret({ name, channels, canBeOpened, setBy, setAt, reason }: ShownSecret) {
  return { name, channels, can_be_opened: canBeOpened, set_by: setBy, set_at: exactSeconds(setAt), reason };
}
