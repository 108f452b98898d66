import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { joinField } from './document';
import type { Faults } from './faults';
import { isSecretSet, resolveSecret, type SecretSources, secretProblem } from './references';
import { readServedModel } from './served-model';
import type { Channel, ChannelCosts } from './settings';
import type { STATES } from './settings-schema';

export interface ChannelRules extends SecretSources {
  protocols: ReadonlySet<string>;
  models: ReadonlySet<string>;
  /** Protocols that can serve a model that is known; undefined: any. */
  protocolsFor?: ((model: string) => readonly string[]) | undefined;
  /** What is wrong with a channel's options in the eyes of its protocol's adapter. */
  checkOptions?: ((protocol: string, options: JsonObject) => string | undefined) | undefined;
  /** Protocols whose channels are read with their keys: a process holds no key of a vendor that it never calls. Default: all. */
  keysOf?: ReadonlySet<string> | undefined;
}

/** A channel as the schema admits it. */
interface ChannelValue {
  id: string;
  protocol: string;
  base_url: string;
  api_key: string;
  models: Record<string, Json>;
  priority: number;
  weight: number;
  max_concurrency?: number;
  vendor?: string;
  costs: JsonObject;
  credit_cost?: number;
  options: JsonObject;
  test: boolean;
  state: (typeof STATES)[number];
}

/** A channel, and what the file says of it. */
export interface WrittenChannel {
  channel: Channel;
  state: ChannelValue['state'];
  source: JsonObject;
}

/**
 * Checks what the schema cannot say: that ids are unique, that a protocol serves the models mapped to it and takes its
 * options, and that base URLs can be appended to. A field that has a fault already is not judged again.
 */
export function checkChannels(channels: readonly unknown[], rules: ChannelRules, faults: Faults): void {
  const ids = new Set<string>();
  for (const [index, channel] of channels.entries()) {
    if (isJsonObject(channel)) checkChannel(channel, `channels[${index}]`, { rules, ids, faults });
  }
}

interface Judgement {
  rules: ChannelRules;
  ids: Set<string>;
  faults: Faults;
}

function checkChannel(channel: JsonObject, field: string, { rules, ids, faults }: Judgement): void {
  const { id, protocol, base_url: baseUrl, api_key: key, models, options } = channel;
  const report = (name: string, problem: string | undefined) => {
    if (problem !== undefined) faults.add(joinField(field, name), problem);
  };
  if (typeof id === 'string') {
    if (ids.has(id)) report('id', 'another channel has this id: give each its own');
    ids.add(id);
  }
  if (typeof baseUrl === 'string') report('base_url', baseUrlProblem(baseUrl));
  if (isKeyed(channel, rules)) report('api_key', secretProblem(key, rules));
  if (typeof protocol !== 'string') return;
  if (isJsonObject(models)) {
    for (const model of Object.keys(models)) report(`models.${model}`, modelProblem(model, protocol, rules));
  }
  if (isJsonObject(options)) report('options', rules.checkOptions?.(protocol, options));
}

/** Paths are appended to a base URL. */
function baseUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username || url.password) return 'must not carry credentials: use api_key';
  // An empty query or fragment is none to the parser, and takes the path that is appended all the same.
  return /[?#]/.test(text) ? 'must not have a query or a fragment: paths are appended to it' : undefined;
}

function modelProblem(model: string, protocol: string, { protocols, protocolsFor }: ChannelRules): string | undefined {
  const able = protocolsFor?.(model);
  if (able === undefined || able.includes(protocol) || !protocols.has(protocol)) return undefined;
  return `the protocol ${protocol} cannot serve this model: map it in a channel of ${able.join(', ')}`;
}

/** A disabled channel's key may be gone already, and a process that never calls the vendor needs none. */
function isKeyed({ protocol, state, api_key: key }: JsonObject, { keysOf, ...sources }: ChannelRules): boolean {
  return keysOf?.has(String(protocol)) !== false && (state !== 'disabled' || isSecretSet(key, sources));
}

/** Reads a channel that has passed every check. */
export function readChannel(
  value: JsonObject,
  { source, costs, rules }: { source: JsonObject; costs: ChannelCosts | undefined; rules: ChannelRules },
): WrittenChannel {
  const {
    base_url: baseUrl,
    api_key: key,
    models,
    max_concurrency: maxConcurrency,
    state,
    test: isTest,
    vendor: _vendor,
    costs: _costs,
    credit_cost: _creditCost,
    ...same
  } = value as unknown as ChannelValue;
  const apiKey = isKeyed(value, rules) ? resolveSecret(key, rules) : '';
  const channel = {
    ...same,
    ...(costs === undefined ? {} : { costs }),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey,
    models: new Map(Object.entries(models).map(([id, value]) => [id, readServedModel(value).name])),
    maxConcurrency,
    isTest,
  };
  return { channel, state, source };
}
