import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { OptionFault } from '@mediagate/upstreams';
import { joinField } from './document';
import type { Faults } from './faults';
import { isSecretSet, resolveSecret, type SecretSources, secretProblem } from './references';
import { readServedModel } from './served-model';
import type { Channel, ChannelCosts, MediaMode } from './settings';
import type { STATES } from './settings-schema';

export interface ChannelRules extends SecretSources {
  protocols: ReadonlySet<string>;
  models: ReadonlySet<string>;
  /** Protocols that can serve a model that is known; undefined: any. */
  protocolsFor?: ((model: string) => readonly string[]) | undefined;
  /** Finds the fault in a channel's options as its protocol's adapter sees it, given the vendor's names of its models. */
  checkOptions?:
    | ((protocol: string, options: JsonObject, names: string[]) => string | OptionFault | undefined)
    | undefined;
  /** Whether its options fit the models that it maps, which are given with the vendor's names of them. */
  checkFit?:
    | ((protocol: string, options: JsonObject, names: ReadonlyMap<string, string>) => OptionFault | undefined)
    | undefined;
  /** Whether a protocol takes callers' files in its requests; undefined: any. */
  takesFiles?: ((protocol: string) => boolean) | undefined;
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
  media: MediaMode;
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
  if (channel['media'] === 'upload' && rules.takesFiles?.(protocol) === false) {
    report('media', `the protocol ${protocol} takes no files in its requests: use rehost`);
  }
  if (!isJsonObject(options)) return;
  const names = vendorNames(isJsonObject(models) ? models : {});
  const fault =
    rules.checkOptions?.(protocol, options, [...names.values()]) ?? rules.checkFit?.(protocol, options, names);
  if (typeof fault === 'object') report(`options.${fault.field}`, fault.problem);
  else report('options', fault);
}

/** By the ids of models. */
function vendorNames(models: JsonObject): Map<string, string> {
  return new Map(Object.entries(models).map(([id, value]) => [id, readServedModel(value as Json).name]));
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
function isKeyed({ protocol, state, api_key: key }: JsonObject, rules: ChannelRules): boolean {
  return holdsKey({ protocol: String(protocol) }, rules) && (state !== 'disabled' || isSecretSet(key, rules));
}

/** Whether this process calls the channel's vendor at all. */
export function holdsKey({ protocol }: Pick<Channel, 'protocol'>, { keysOf }: ChannelRules): boolean {
  return keysOf?.has(protocol) !== false;
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
