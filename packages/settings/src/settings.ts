import type { CatalogueEntry } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import { ownProtocols, type Protocols } from '@mediagate/upstreams';
import type { CamelCased } from './camel-case';
import type { ValueOf } from './schema-parts';
import type { MEDIA, WEBHOOKS } from './section-schemas';
import type { StorageSettings } from './storage-drivers';

/** The operator's configuration file (`MEDIAGATE_CONFIG`), checked and with its `${ENV}` references resolved. */
export interface Settings {
  /** The beginning of the file's SHA-256, as `sha256sum` prints it: says which state of the file a process goes by. */
  digest: string;
  /** Channels that take tasks. */
  channels: Channel[];
  /**
   * Channels that take no more tasks: draining, or disabled while their key is set or kept from this process. Jobs that they have
   * accepted are still checked.
   */
  closedChannels: Channel[];
  /** Every channel as the file has it, by id: with the names of environment variables, not with what these hold. */
  channelSources: ReadonlyMap<string, JsonObject>;
  /** Its other sections but the prices, as they are written. */
  sectionSources: JsonObject;
  /** Models that it describes beside those of the catalogue; absent: none. */
  models?: DescribedModels | undefined;
  /** Packages that speak further protocols; absent: none. */
  packages?: LoadedPackages | undefined;
  /** Overrides of catalogue prices by billing key: a number is one task's price, an object holds unit prices. In nano-units. */
  prices: ReadonlyMap<string, PriceOverride>;
  webhooks: CamelCased<ValueOf<typeof WEBHOOKS>>;
  media: CamelCased<ValueOf<typeof MEDIA>>;
  /** Limits of what callers may have uploaded. */
  uploads: { account: UploadQuota; key: UploadQuota };
  storage: StorageSettings;
}

export interface LoadedPackages {
  /** By name or path, as the file has them. */
  names: readonly string[];
  /** The protocols of this build, and those of the packages. */
  protocols: Protocols;
}

/** The protocols that channels of the file may speak. */
export function protocolsOf({ packages }: Pick<Settings, 'packages'>): Protocols {
  return packages?.protocols ?? ownProtocols();
}

export type DescribedModels = readonly CatalogueEntry[];

export interface UploadQuota {
  /** At once. */
  storedBytes: number;
  storedFiles: number;
  /** In one day of UTC. */
  dayBytes: number;
  dayFiles: number;
}

/** How callers' files come to a vendor that fetches them itself. */
export const MEDIA_MODES = ['pass', 'rehost', 'upload'] as const;
export type MediaMode = (typeof MEDIA_MODES)[number];

export interface Channel {
  id: string;
  protocol: string;
  baseUrl: string;
  apiKey: string;
  /** Public model id to the vendor's name of it. */
  models: ReadonlyMap<string, string>;
  /** Lower is tried first. */
  priority: number;
  /** Share among channels of equal priority. */
  weight: number;
  /** Calls or accepted jobs at once, over all processes, of texts in each process of the API; undefined: no limit. */
  maxConcurrency: number | undefined;
  /** The vendor's charges; absent: they are not known. */
  costs?: ChannelCosts | undefined;
  options: JsonObject;
  /** Absent: their addresses are passed on. */
  media?: MediaMode;
  /** Serves the tasks of test keys, and no others. */
  isTest: boolean;
}

/** The charges of a channel's vendor, in nano-units. */
export interface ChannelCosts {
  /** By billing key, and of priced units all of them; what is not here is not known. */
  prices: ReadonlyMap<string, PriceOverride>;
  /** The price of one of the vendor's own credits; undefined: what the vendor says of its cost is not counted. */
  creditNano: bigint | undefined;
}

export type PriceOverride = { perTask: bigint } | { units: ReadonlyMap<string, bigint> };
