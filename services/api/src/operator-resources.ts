import type { EndedTask, Prices } from '@mediagate/billing';
import type { Callbacks } from '@mediagate/callbacks';
import type { Catalogue } from '@mediagate/catalog';
import type { VendorSealer } from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Links } from '@mediagate/media';
import type { Queues } from '@mediagate/queue';
import type { PartReader, Settings } from '@mediagate/settings';
import type { FindModels } from './offered-models';
import type { SettingsInForce } from './routes/admin/settings';

/** Resources of the operators' use cases. */
export interface OperatorResources {
  database: Database;
  queues: Pick<Queues, 'enqueueTask' | 'counts'>;
  callbacks: Callbacks;
  catalogue: Pick<Catalogue, 'entries' | 'billingKeys'>;
  /** Every channel as it counts now, as a file would have it, by id. */
  channelSources(): ReadonlyMap<string, JsonObject>;
  /** Channels of the configuration file, without what operators set over it. */
  channelsInFile(): ReadonlyMap<string, JsonObject>;
  webhooksInFile(): Settings['webhooks'];
  /** Judges what operators set. */
  judge: PartReader;
  /** Looks up all keys that this process has. */
  keys: PartReader;
  /** Seals the vendors' keys that the database keeps; undefined: the process has no key to seal them with. */
  sealer: VendorSealer | undefined;
  /** The prices of the configuration file. */
  filePrices(): Prices;
  /** The settings that this process uses. */
  listSettings(): SettingsInForce;
  /** Measures a task that an operator ends. */
  onEnded(ended: EndedTask): void;
  /** Links to results. */
  links: Pick<Links, 'parseOwnUrl' | 'sign' | 'verify'>;
  creditsPerUnit: number;
  pepper: string;
  /** Finds the models on offer; asked at every request. */
  models: FindModels;
  logger: Logger;
}
