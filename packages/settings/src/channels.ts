import type { JsonObject } from '@mediagate/contracts';
import { isMap } from 'yaml';
import { asWritten, type Cursor, fault, isPresent, readEntries, readFields, readItems } from './cursor';
import { isSecretSet, readChoice, readInteger, readJson, readSecret, readText } from './scalars';
import type { Channel } from './settings';

interface Known {
  protocols: ReadonlySet<string>;
  models: ReadonlySet<string>;
  /** Protocols that can serve a model that is known; undefined: any. */
  protocolsFor?: ((model: string) => readonly string[]) | undefined;
  /** What is wrong with a channel's options in the eyes of its protocol's adapter. */
  checkOptions?: ((protocol: string, options: JsonObject) => string | undefined) | undefined;
  /** Protocols whose channels are read with their keys: a process holds no key of a vendor that it never calls. Default: all. */
  keysOf?: ReadonlySet<string> | undefined;
}

const CHANNEL_KEYS = [
  'id',
  'protocol',
  'base_url',
  'api_key',
  'models',
  'priority',
  'weight',
  'max_concurrency',
  'options',
  'state',
] as const;
const STATES = ['enabled', 'draining', 'disabled'] as const;
export type ChannelState = (typeof STATES)[number];
const CHANNEL_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const MAX_CHANNELS = 1000;

/** A channel, and what the file says of it. */
export interface WrittenChannel {
  channel: Channel;
  state: ChannelState;
  source: JsonObject;
}

/** Channels in the file's order, their ids unique. */
export function readChannels(cursor: Cursor, known: Known): WrittenChannel[] {
  if (!isPresent(cursor)) return [];
  const items = readItems(cursor);
  if (items.length > MAX_CHANNELS) fault(cursor, `must have at most ${MAX_CHANNELS} channels`);
  const ids = new Set<string>();
  return items.slice(0, MAX_CHANNELS).map((item) => readChannel(item, { ...known, ids }));
}

function readChannel(cursor: Cursor, known: Known & { ids: Set<string> }): WrittenChannel {
  const fields = readFields(cursor, CHANNEL_KEYS);
  const id = readId(fields.id, known.ids);
  const protocol = readProtocol(fields.protocol, known.protocols);
  const state = readChoice(fields.state, STATES, 'enabled');
  // The key of a channel that was disabled may be gone already.
  const isKeyed = known.keysOf?.has(protocol) !== false && (state !== 'disabled' || isSecretSet(fields.api_key));
  const channel = {
    id,
    protocol,
    baseUrl: readBaseUrl(fields.base_url),
    apiKey: isKeyed ? readSecret(fields.api_key) : '',
    models: readModels(fields.models, protocol, known),
    priority: readInteger(fields.priority, { minimum: 0, maximum: 1000, fallback: 1 }),
    weight: readInteger(fields.weight, { minimum: 1, maximum: 1000, fallback: 1 }),
    maxConcurrency:
      fields.max_concurrency.node && readInteger(fields.max_concurrency, { minimum: 1, maximum: 100_000 }),
    options: readOptions(fields.options, (options) => known.checkOptions?.(protocol, options)),
  };
  return { channel, state, source: asWritten(cursor) };
}

function readId(cursor: Cursor, taken: Set<string>): string {
  const id = readText(cursor);
  if (id === '') return id;
  if (!CHANNEL_ID.test(id)) fault(cursor, 'must be lower-case letters, digits, ".", "_" and "-", at most 64');
  if (taken.has(id)) fault(cursor, 'another channel has this id: give each its own');
  taken.add(id);
  return id;
}

function readProtocol(cursor: Cursor, protocols: ReadonlySet<string>): string {
  const protocol = readText(cursor);
  if (protocol !== '' && !protocols.has(protocol)) fault(cursor, `no such protocol: use one of ${list(protocols)}`);
  return protocol;
}

/** An http or https URL that paths can be appended to: no query, fragment or credentials; a trailing slash is dropped. */
function readBaseUrl(cursor: Cursor): string {
  const text = readText(cursor);
  if (text === '') return text;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) fault(cursor, 'must be an http or https URL');
  else if (url.username || url.password) fault(cursor, 'must not carry credentials: use api_key');
  else if (url.search || url.hash) fault(cursor, 'must not have a query or a fragment: paths are appended to it');
  return text.replace(/\/+$/, '');
}

function readModels(cursor: Cursor, protocol: string, known: Known): Map<string, string> {
  if (!isPresent(cursor)) return new Map();
  const models = new Map<string, string>();
  for (const [id, name] of readEntries(cursor)) {
    const problem = modelProblem(id, protocol, known);
    if (problem !== undefined) fault(name, problem);
    models.set(id, readText(name));
  }
  if (isMap(cursor.node) && models.size === 0) fault(cursor, "must map at least one model to the vendor's name of it");
  return models;
}

function modelProblem(id: string, protocol: string, { models, protocols, protocolsFor }: Known): string | undefined {
  if (!models.has(id)) return `no such model: use one of ${list(models)}`;
  const able = protocolsFor?.(id);
  if (able === undefined || able.includes(protocol) || !protocols.has(protocol)) return undefined;
  return `the protocol ${protocol} cannot serve this model: map it in a channel of ${able.join(', ')}`;
}

function readOptions(cursor: Cursor, check: (options: JsonObject) => string | undefined): JsonObject {
  const options = Object.fromEntries(readEntries(cursor).map(([key, value]) => [key, readJson(value)]));
  const problem = check(options);
  if (problem !== undefined) fault(cursor, problem);
  return options;
}

function list(names: ReadonlySet<string>): string {
  return [...names].sort().join(', ');
}
