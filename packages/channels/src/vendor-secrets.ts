import { exactSeconds, type JsonObject, withFormer } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  DatabaseConflictError,
  type ListedSecret,
  type StoredSettings,
} from '@mediagate/database';
import { createSealer, SEALING_SECRET_MIN_CHARACTERS, type Sealer } from '@mediagate/identity';
import { isOfSigning, type StoredSecrets, storedSecretOf } from '@mediagate/settings';
import { addressOf } from './channel-book';
import type { Channels } from './channels';

/** Seals and opens the keys of vendors. */
export type VendorSealer = Sealer;

/** The variables as the environment has them; both may be absent. */
export interface SealingVariables {
  MEDIAGATE_SEALING_SECRET?: string | undefined;
  MEDIAGATE_PREVIOUS_SEALING_SECRET?: string | undefined;
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
  return createSealer(withFormer('MEDIAGATE_SEALING_SECRET', secret, former));
}

/** A vendor's key as operators see it: without its value. */
export interface ShownSecret extends Omit<ListedSecret, 'sealed'> {
  /** Channels that name it. */
  channels: string[];
  /** False: it is sealed under a key that this process does not have. */
  canBeOpened: boolean;
}

/** Jobs of these channels are under way at another address than the secret is for by now: it would be shown there. */
export interface AwaitedElsewhere {
  kind: 'awaited_elsewhere';
  channels: string[];
}

/** Seals a key of a vendor under a name, in place of the one before. Every process that has the key for it counts by it within two seconds. */
export async function setSecret(
  { database, sealer, sources }: Pick<Channels, 'database' | 'sealer' | 'sources'>,
  { name, value }: { name: string; value: string },
  request: ChangeRequest,
): Promise<ChangeOutcome | AwaitedElsewhere> {
  if (sealer === undefined) throw new Error('there is no key to seal a secret under');
  const sealed = sealer.seal(value, placeOf(name));
  const now = await sources();
  let awaited: AwaitedElsewhere | undefined;
  const outcome = await changeOnce(database, request, async () => {
    for (let left = MAX_JUDGEMENTS; left > 0; left -= 1) {
      const judged = await judgeDestinations(database, name, now);
      if ('kind' in judged) {
        awaited = judged;
        return [];
      }
      const rows = await database.setVendorSecret({ name, sealed, ...judged }, request);
      if (rows.length > 0) return rows;
    }
    throw new DatabaseConflictError(new Error('jobs begin at one address after the other'));
  });
  return awaited ?? outcome;
}

/** How often the addresses of jobs under way are judged: the statement refuses the secret where a job is at an address not judged. */
const MAX_JUDGEMENTS = 5;

/** Judges nothing where no channel names the secret any more: it serves only jobs of channels that did. */
async function judgeDestinations(
  database: Pick<Database, 'listSecretDestinations'>,
  name: string,
  sources: ReadonlyMap<string, JsonObject>,
): Promise<AwaitedElsewhere | { baseUrls: string[] | null }> {
  const naming = channelsNaming(name, sources).map((id) => addressOf(String(sources.get(id)?.['base_url'])));
  if (naming.length === 0) return { baseUrls: null };
  const awaited = await database.listSecretDestinations(name);
  const elsewhere = awaited.filter(({ baseUrl }) => !naming.includes(addressOf(String(baseUrl))));
  const channels = [...new Set(elsewhere.map(({ channelId }) => channelId))];
  if (channels.length > 0) return { kind: 'awaited_elsewhere', channels };
  return { baseUrls: awaited.map(({ baseUrl }) => String(baseUrl)) };
}

/** Says what operators can do about it. */
export function awaitedProblem({ channels }: AwaitedElsewhere): string {
  return `jobs of ${channels.join(', ')} are asked about at another address with it: set the new key under another name, and lead the channel to that`;
}

/** Lists secrets by name, without their values. */
export async function listSecrets({
  database,
  sealer,
  sources,
}: Pick<Channels, 'database' | 'sealer' | 'sources'>): Promise<ShownSecret[]> {
  const [secrets, now] = [await database.listVendorSecrets(), await sources()];
  return secrets.map(({ sealed, ...secret }) => ({
    ...secret,
    channels: channelsNaming(secret.name, now),
    canBeOpened: sealer !== undefined && openSecret(sealer, { name: secret.name, sealed }) !== undefined,
  }));
}

function channelsNaming(name: string, sources: ReadonlyMap<string, JsonObject>): string[] {
  return [...sources].flatMap(([id, { api_key: key }]) => (storedSecretOf(key) === name ? [id] : [])).sort();
}

/** Seals what a former key has sealed under the present one. How many there were; one that is set anew meanwhile stays as it is set. */
export async function resealSecrets(
  { database }: Pick<Channels, 'database'>,
  sealer: Sealer,
  request: ChangeRequest,
): Promise<number> {
  const secrets = await database.listVendorSecrets();
  for (const { name, sealed } of secrets) {
    const value = openSecret(sealer, { name, sealed });
    if (value === undefined) throw new Error(`the secret ${name} opens under none of the keys: set it again`);
    await database.resealVendorSecret({ name, from: sealed, sealed: sealer.seal(value, placeOf(name)) }, request);
  }
  return secrets.length;
}

/** Opens the secrets that the database keeps, by their names; without a key for them there are none. */
export function openerOf(secrets: StoredSettings['secrets'], sealer: Sealer | undefined): StoredSecrets {
  const sealed = new Map(secrets.map((secret) => [secret.name, Buffer.from(secret.sealed, 'base64')]));
  return (name) => {
    const found = isOfSigning(name) ? undefined : sealed.get(name);
    return found && sealer && openSecret(sealer, { name, sealed: found });
  };
}

/** Reads a secret for the signing of results; undefined: there is none of that name, or none that this process can open. */
export async function readSigningSecret(
  { database, sealer }: Pick<Channels, 'database' | 'sealer'>,
  name: string,
): Promise<string | undefined> {
  if (!isOfSigning(name)) return undefined;
  const row = await database.vendorSecret.findUnique({ where: { name }, select: { sealed: true } });
  return sealer && row ? openSecret(sealer, { name, sealed: Buffer.from(row.sealed) }) : undefined;
}

/** Undefined: it is sealed under another key. */
function openSecret(sealer: Sealer, { name, sealed }: Pick<ListedSecret, 'name' | 'sealed'>): string | undefined {
  return sealer.open(sealed, placeOf(name));
}

function placeOf(name: string): string {
  return `vendor_secrets/${name}`;
}

/** As operators see it. */
export function describeSecret({ name, channels, canBeOpened, setBy, setAt, reason }: ShownSecret) {
  return { name, channels, can_be_opened: canBeOpened, set_by: setBy, set_at: exactSeconds(setAt), reason };
}
