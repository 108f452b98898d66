import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { type ChannelRules, checkChannels, holdsKey, readChannel, type WrittenChannel } from './channels';
import { checkSchema } from './check-schema';
import { readCosts } from './costs';
import { openDocument } from './document';
import type { Faults } from './faults';
import { describedIds, type FindModel, readModels } from './models';
import { plainJson } from './plain-json';
import { type BillingKeys, readPrices } from './prices';
import { resolveReferences } from './references';
import { checkStorage, readSections, type SettingsValue } from './sections';
import { setReferenceFaults } from './set-references';
import type { Channel, ChannelCosts, DescribedModels, LoadedPackages, Settings } from './settings';
import { type FieldFault, SettingsError } from './settings-error';
import { settingsSchema } from './settings-schema';

export interface LoadSettingsOptions extends ChannelRules {
  /** Unit names by billing key. */
  billingKeys: BillingKeys;
  findModel?: FindModel | undefined;
  /** Names with those of models that the file describes; absent: it can describe none. */
  withModels?: ((ids: readonly string[], models: DescribedModels) => Names) | undefined;
  /** Loads packages that speak further protocols; absent: the file can name none. */
  withPackages?: ((names: readonly string[], folder: string) => WithPackages) | undefined;
  packages?: LoadedPackages | undefined;
}

export interface WithPackages {
  /** Options that follow from the protocols of the packages. */
  options: Partial<LoadSettingsOptions>;
  /** Fields as `protocols[0]`. */
  faults: readonly FieldFault[];
}

/** Names that follow from the models there are. */
type Names = Pick<LoadSettingsOptions, 'models' | 'protocolsFor' | 'checkFit' | 'billingKeys'>;

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

/** A file as it is written, references and all. @throws SettingsError where it cannot be read at all. */
export function readWritten(path: string): { value: JsonObject; numberText(field: string): string | undefined } {
  const { value, numberText, faults } = openDocument(path, readBytes(path).toString('utf8'));
  requireFaultless(faults);
  return { value: isJsonObject(value) ? value : {}, numberText };
}

/**
 * A channel as a file had it once (`channelSources`), with what its variables hold now, whatever its state was. Throws
 * SettingsError where they hold nothing any more.
 */
export function readSource(source: JsonObject, options: LoadSettingsOptions): Channel {
  const { costs, ...rest } = source;
  try {
    return readOne(source, options);
  } catch (error) {
    if (costs === undefined) throw error;
    // Costs of a catalogue that has changed since: what they were is not known then, and the jobs are asked for all the same.
    return readOne(rest, options);
  }
}

function readOne(source: JsonObject, options: LoadSettingsOptions): Channel {
  const models = new Set(isJsonObject(source['models']) ? Object.keys(source['models']) : []);
  const text = plainJson({ channels: [{ ...source, state: 'enabled' }] });
  // Its models and options were judged while it was in force; now it is only needed for its jobs under way.
  const past = { ...options, models, protocolsFor: undefined, checkOptions: undefined, checkFit: undefined };
  const [channel] = read(String(source['id']), text, past).channels;
  if (!channel) throw new SettingsError([`${source['id']}:1:: is no channel`]);
  return channel;
}

/** A channel as it is written somewhere, opened. */
export type OpenedChannel =
  | { kind: 'open' | 'closed'; channel: Channel }
  /** Disabled, and its key is gone: nobody can be asked with it. */
  | { kind: 'keyless'; channel: Channel }
  /** Fields as `models.imagegen-2`. */
  | { kind: 'faulty'; faults: readonly FieldFault[] };

const FIRST_CHANNEL = 'channels[0].';

/** A channel judged and read as if it stood in the file alone. */
export function openSource(source: JsonObject, options: LoadSettingsOptions): OpenedChannel {
  try {
    const { channels, closedChannels } = read('', plainJson({ channels: [source] }), options);
    if (channels[0]) return { kind: 'open', channel: channels[0] };
    if (closedChannels[0]) return { kind: 'closed', channel: closedChannels[0] };
    return { kind: 'keyless', channel: readOne(source, { ...options, keysOf: new Set() }) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { kind: 'faulty', faults: withoutPrefix(error.fields, FIRST_CHANNEL) };
  }
}

/** The section `webhooks` with these fields that operators have set, the others by default, judged as if it stood in the file. */
export function openWebhooks(
  fields: JsonObject,
  options: LoadSettingsOptions,
): { webhooks: Settings['webhooks'] } | { faults: readonly FieldFault[] } {
  const references = setReferenceFaults(fields);
  if (references.length > 0) return { faults: references };
  try {
    return { webhooks: read('', plainJson({ channels: [], webhooks: fields }), options).webhooks };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { faults: withoutPrefix(error.fields, 'webhooks.') };
  }
}

function withoutPrefix(faults: readonly FieldFault[], prefix: string): FieldFault[] {
  return faults.map(({ field, message }) => ({ field: field.replace(prefix, ''), message }));
}

type Written = Omit<Settings, 'digest'>;

/** All checks run, whatever the others found, so that a file is mended in one go; it is read only if none found a fault. */
function read(file: string, text: string, given: LoadSettingsOptions): Written {
  const { value: written, numberText, faults } = openDocument(file, text);
  requireFaultless(written === null ? faults : undefined);
  const source = isJsonObject(written) ? written : {};
  const value = resolveReferences(source, given.env, faults) as JsonObject;
  const options = withPackages(value['protocols'], file, { options: given, faults });
  const ids = describedIds(value['models']);
  checkSchema(value, settingsSchema({ ...options, models: new Set([...options.models, ...ids]) }), faults);
  const models = readModels(value['models'], options.findModel, faults);
  const rules = ids.length === 0 ? options : { ...options, ...options.withModels?.(ids, models) };
  const { channels } = value;
  if (Array.isArray(channels)) checkChannels(channels, rules, faults);
  checkStorage(value['storage'], options.env, faults);
  const { billingKeys } = rules;
  const unjudged = new Set(ids.filter((id) => !models.some((model) => model.id === id)));
  const prices = readPrices(source['prices'], { section: 'prices', billingKeys, unjudged, numberText, faults });
  const costs = readCosts(source['channels'], billingKeys, { unjudged, numberText, faults });
  requireFaultless(faults);
  return toSettings(value as unknown as SettingsValue, { source, models, prices, costs, options: rules });
}

/** The options with the protocols of the packages that the file names. */
function withPackages(
  value: Json | undefined,
  file: string,
  { options, faults }: { options: LoadSettingsOptions; faults: Faults },
): LoadSettingsOptions {
  // The schema finds the fault in anything that is no list of names.
  const names = Array.isArray(value) ? value.map((name) => (typeof name === 'string' ? name : '')) : [];
  const loaded = options.withPackages?.(names, dirname(resolve(file)));
  for (const { field, message } of loaded?.faults ?? []) faults.add(field, message);
  return { ...options, ...loaded?.options };
}

/** @throws SettingsError */
function requireFaultless(faults: Faults | undefined): void {
  const error = faults?.error();
  if (error) throw error;
}

interface Read {
  /** As it is written. */
  source: JsonObject;
  models: DescribedModels;
  prices: Settings['prices'];
  /** In the order of the channels. */
  costs: readonly (ChannelCosts | undefined)[];
  options: LoadSettingsOptions;
}

function toSettings(value: SettingsValue, { source, models, prices, costs, options }: Read): Written {
  const { webhooks = {}, media = {}, uploads = {}, storage = {}, protocols = [] } = source;
  const sources = (source['channels'] ?? []) as JsonObject[];
  const channels = value.channels.map((channel, index) =>
    readChannel(channel, { source: sources[index] ?? {}, costs: costs[index], rules: options }),
  );
  const isClosed = ({ state, channel }: WrittenChannel) =>
    state === 'draining' || (state === 'disabled' && (channel.apiKey !== '' || !holdsKey(channel, options)));
  return {
    channels: channels.filter(({ state }) => state === 'enabled').map(({ channel }) => channel),
    closedChannels: channels.filter(isClosed).map(({ channel }) => channel),
    channelSources: new Map(channels.map(({ channel, source: written }) => [channel.id, written])),
    sectionSources: { webhooks, media, uploads, storage, protocols },
    packages: options.packages,
    models,
    prices,
    ...readSections(value, options.env),
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
