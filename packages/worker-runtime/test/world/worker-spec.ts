import type { JsonObject } from '@mediagate/contracts';
import type { Channel, ChannelCosts, Settings } from '@mediagate/settings';
import type { AfterLostAnswer } from '../generic-upstream/adapter';
import type { FaultPoint } from './fault-points';

export interface ChannelSpec {
  /** Also its API key, so that the upstream's journal names it. */
  id: string;
  baseUrl: string;
  protocol: AfterLostAnswer | 'live';
  /** Public models that it serves; default: the one named like its protocol. */
  models?: string[];
  priority?: number;
  weight?: number;
  maxConcurrency?: number;
  /** It serves tasks of test keys alone. */
  isTest?: boolean;
  media?: NonNullable<Channel['media']>;
  options?: Channel['options'];
  /** The vendor's charges, in nano-units: by unit, the same for all models, and for one of its credits. */
  costs?: { units?: Record<string, number>; credit?: number };
}

/** A worker, as plain JSON: the same one runs inside a test or as a process of its own. */
export interface WorkerSpec {
  databaseUrl: string;
  redisUrl: string;
  prefix: string;
  /** Directory of stored results. */
  home: string;
  /** Where files are worked on; default: that of a worker without a setting. */
  workFolder?: string;
  channels: ChannelSpec[];
  /** They take no new tasks. */
  closedChannels?: ChannelSpec[];
  /** The environment lacks the keys of channels that the file does not have. */
  lacksOldKeys?: boolean;
  concurrency: number;
  /** Default: 8. */
  poolSize?: number;
  /** Default: that of a deployment. */
  statementTimeoutMs?: number;
  leaseMs: number;
  /** Default: off. */
  marks?: Settings['media']['marks'];
  /** By which results are signed. */
  signing?: { certificate: string; key: string };
  /** Between two looks at them; default: that of a deployment. */
  signerEveryMs?: number;
  /** Default: deliver. */
  unmarked?: Settings['media']['unmarked'];
  /** Default: off. */
  fingerprints?: Settings['media']['fingerprints'];
  fault?: Fault;
}

/** Once each of these tasks stands at its point, the process gets the signal. */
export interface Fault {
  at: Record<string, FaultPoint>;
  signal: 'SIGKILL' | 'SIGSTOP';
}

export function toChannel(spec: ChannelSpec): Channel {
  const { id, baseUrl, protocol, models = [protocol], priority = 1, weight = 1, maxConcurrency, options = {} } = spec;
  return {
    id,
    baseUrl,
    priority,
    weight,
    isTest: spec.isTest ?? false,
    maxConcurrency,
    apiKey: id,
    protocol: `generic-${protocol}`,
    options,
    ...(spec.media === undefined ? {} : { media: spec.media }),
    models: new Map(models.map((model) => [model, model])),
    ...(spec.costs === undefined ? {} : { costs: costsOf(spec.costs, models) }),
  };
}

function costsOf({ units, credit }: NonNullable<ChannelSpec['costs']>, models: readonly string[]): ChannelCosts {
  const nano = new Map(Object.entries(units ?? {}).map(([unit, price]) => [unit, BigInt(price)]));
  return {
    prices: new Map(units === undefined ? [] : models.map((model) => [model, { units: nano }])),
    creditNano: credit === undefined ? undefined : BigInt(credit),
  };
}

/** As a file has it: models by the vendor's names of them. */
export function asSource({ models, protocol, ...spec }: ChannelSpec): JsonObject {
  const source = {
    ...spec,
    protocol,
    models: Object.fromEntries((models ?? [protocol]).map((model) => [model, model])),
  };
  return source as unknown as JsonObject;
}

export function fromSource(source: JsonObject): ChannelSpec {
  return { ...(source as unknown as ChannelSpec), models: Object.keys(source['models'] as JsonObject) };
}
