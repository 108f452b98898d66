import {
  awaitedProblem,
  describeSecret,
  listSecrets,
  openVendorSealer,
  readSources,
  resealSecrets,
  setSecret,
  type VendorSealer,
} from '@mediagate/channels';
import { SECRET_NAME } from '@mediagate/contracts';
import { isOfSigning, type Settings, SettingsError } from '@mediagate/settings';
import { openFileAndChannels } from '../open-channels';
import { tryConfiguration } from '../open-configuration';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

interface Reason {
  reason?: string;
}

/** Never what they are. */
export async function list(session: Session): Promise<Answer> {
  const { channels: opened } = await openFileAndChannels(session);
  const secrets = (await listSecrets(opened)).map(describeSecret);
  const rows = secrets.map(({ name, channels, can_be_opened: isOpen, set_by, set_at }) => [
    name,
    channels.join(', ') || 'none',
    set_by,
    timeText(set_at),
    isOpen ? 'yes' : 'no',
  ]);
  return { json: { data: secrets }, text: textTable(['SECRET', 'CHANNELS', 'SET BY', 'SET', 'OPENS HERE'], rows) };
}

const NAME = new RegExp(`^${SECRET_NAME}$`);

/** The key of a channel counts in every process within two seconds. */
export async function set(session: Session, name: string, { reason }: Reason): Promise<Answer> {
  if (!NAME.test(name)) throw new Refusal('a name is lower-case letters, digits, ".", "_" and "-", at most 64');
  const sealer = requireSealer(session);
  const value = (await session.readInput()).trim();
  if (value === '') throw new Refusal(`nothing on the standard input: npx mediagate secret set ${name} < file`);
  const database = await session.openDatabase();
  const sources = () => readSources(database, sourcesOfFile(session));
  const outcome = await setSecret({ database, sealer, sources }, { name, value }, changeBy(session, reason));
  if (outcome.kind === 'awaited_elsewhere') throw new Refusal(awaitedProblem(outcome));
  await requireChanged(outcome, () => 'it was not set');
  const when = isOfSigning(name) ? 'workers read it when they start' : 'it counts within 2 seconds';
  return { json: { name }, text: `the secret ${name} is set; ${when}` };
}

/** A file with faults must not keep a key from being set. */
function sourcesOfFile(session: Session): Settings['channelSources'] {
  const opened = tryConfiguration(session);
  return opened instanceof SettingsError ? new Map() : opened.settings.channelSources;
}

export async function remove(session: Session, name: string, { reason }: Reason): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await database.removeVendorSecret(name, changeBy(session, reason));
  await requireChanged(outcome, () => `there is no secret ${name}`);
  return { json: { name, removed: true }, text: `the secret ${name} is gone` };
}

export async function reseal(session: Session, { reason }: Reason): Promise<Answer> {
  const sealer = requireSealer(session);
  const database = await session.openDatabase();
  const count = await resealSecrets({ database }, sealer, changeBy(session, reason));
  const text = `${count} sealed under MEDIAGATE_SEALING_SECRET: MEDIAGATE_PREVIOUS_SEALING_SECRET may go`;
  return { json: { resealed: count }, text };
}

function requireSealer(session: Session): VendorSealer {
  const sealer = openVendorSealer(session.deployment.sealing());
  if (sealer === undefined) throw new Refusal('set MEDIAGATE_SEALING_SECRET, as for the services');
  return sealer;
}
