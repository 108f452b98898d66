import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { readChannels, type WrittenChannel } from './channels';
import { type Cursor, openDocument, readFields } from './cursor';
import { readMedia, readWebhooks } from './network';
import { type BillingKeys, readPrices } from './prices';
import type { Channel, Settings } from './settings';
import { SettingsError } from './settings-error';
import { readStorage } from './storage';
import { readUploads } from './uploads';

export interface LoadSettingsOptions {
  /** Where `${NAME}` is looked up. */
  env: Readonly<Record<string, string | undefined>>;
  /** Protocols that have an adapter. */
  protocols: ReadonlySet<string>;
  /** Public ids of the catalogue's models, without aliases. */
  models: ReadonlySet<string>;
  /** Protocols that can serve one of the models, by its public id; default: all. */
  protocolsFor?: ((model: string) => readonly string[]) | undefined;
  /** Unit names by billing key. */
  billingKeys: BillingKeys;
  /** What is wrong with the `options` of a channel of that protocol; undefined: nothing. */
  checkOptions?: (protocol: string, options: JsonObject) => string | undefined;
  /**
   * Protocols whose channels are read with their keys; default: all. A process that calls no vendor of a protocol needs none
   * of its keys in its environment.
   */
  keysOf?: ReadonlySet<string>;
}

const DIGEST_CHARACTERS = 12;
/** More than any real file holds; a wrong path must not be read into memory. */
const MAX_FILE_BYTES = 1_048_576;

/**
 * Reads and checks the configuration file. Throws a `SettingsError` with every fault found, so that an operator mends a
 * file in one go; faults name variables and fields but never repeat what a variable holds.
 */
export function loadSettings(path: string, options: LoadSettingsOptions): Settings {
  const bytes = readBytes(path);
  return { digest: digestOf(bytes), ...read(path, bytes.toString('utf8'), options) };
}

/**
 * A channel as a file had it once (`channelSources`), with what its variables hold now, whatever its state was. Throws
 * SettingsError where they hold nothing any more.
 */
export function readSource(source: JsonObject, options: LoadSettingsOptions): Channel {
  const models = new Set(isJsonObject(source['models']) ? Object.keys(source['models']) : []);
  const text = JSON.stringify({ channels: [{ ...source, state: 'enabled' }] });
  // What it was mapped to once is past: its jobs are under way.
  const [channel] = read(String(source['id']), text, { ...options, models, protocolsFor: undefined }).channels;
  if (!channel) throw new SettingsError([`${source['id']}:1:: is no channel`]);
  return channel;
}

type Written = Omit<Settings, 'digest'>;

function read(file: string, text: string, options: LoadSettingsOptions): Written {
  const faults: string[] = [];
  const root = openDocument({ file, text, env: options.env, faults });
  const settings = root && readSettings(root, options);
  if (!settings || faults.length > 0) throw new SettingsError(faults);
  return settings;
}

function readSettings(root: Cursor, { billingKeys, ...known }: LoadSettingsOptions): Written {
  const fields = readFields(root, ['channels', 'prices', 'webhooks', 'media', 'uploads', 'storage']);
  const channels = readChannels(fields.channels, known);
  const isClosed = ({ state, channel }: WrittenChannel) =>
    state === 'draining' || (state === 'disabled' && channel.apiKey !== '');
  return {
    channels: channels.filter(({ state }) => state === 'enabled').map(({ channel }) => channel),
    closedChannels: channels.filter(isClosed).map(({ channel }) => channel),
    channelSources: new Map(channels.map(({ channel, source }) => [channel.id, source])),
    prices: readPrices(fields.prices, billingKeys),
    webhooks: readWebhooks(fields.webhooks),
    media: readMedia(fields.media),
    uploads: readUploads(fields.uploads),
    storage: readStorage(fields.storage),
  };
}

function readBytes(path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new SettingsError([`${path}: cannot be read (${code}): set MEDIAGATE_CONFIG to an existing file`]);
  }
  if (bytes.length > MAX_FILE_BYTES) {
    throw new SettingsError([`${path}: is larger than ${MAX_FILE_BYTES} bytes: is it the right file?`]);
  }
  return bytes;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_CHARACTERS);
}
