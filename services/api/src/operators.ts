import type { Prices } from '@mediagate/billing';
import type { Callbacks } from '@mediagate/callbacks';
import type { Catalogue } from '@mediagate/catalog';
import type { Channels } from '@mediagate/channels';
import type { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Links } from '@mediagate/media';
import type { QueueCounts, RedisServer } from '@mediagate/queue';
import type { Tasks } from '@mediagate/tasks';
import type { OriginParts } from './http/body/find-origin';
import type { ListedSettings } from './list-settings';
import type { OfferedModels } from './offered-models';

/** Finds the model that a name means, of which keys keep the id. */
export interface NamedModels {
  find(name: string): { entry: Pick<OfferedModels['all'][number]['entry'], 'id'> } | undefined;
}

/** The domains that operators' routes work with, and what this process knows of its settings. */
export interface Operators {
  database: Database;
  tasks: Tasks;
  callbacks: Pick<Callbacks, 'database' | 'queue' | 'logger' | 'rules'>;
  channels: Channels;
  /** `counts` resolves to undefined, or rejects, where Redis does not answer. */
  queues: {
    counts(): Promise<readonly QueueCounts[] | undefined>;
    /** Rejects where Redis does not answer. */
    servers(): Promise<readonly RedisServer[]>;
  };
  /** Key of the hash of keys. */
  pepper: string;
  catalogue: Pick<Catalogue, 'entries' | 'billingKeys'>;
  /** The prices of the configuration file. */
  filePrices(): Prices;
  /** Slots for reports of margins, and for invoices by a zone. */
  marginSlots: Slots;
  /** The settings that this process uses. */
  listSettings(): ListedSettings;
  /** Looks at files whose origin is asked for. */
  origins: OriginParts;
  /** Links to results; absent: they are shown as they are kept. */
  links?: Pick<Links, 'parseOwnUrl' | 'sign' | 'verify'>;
  creditsPerUnit: number;
  /** Finds the models on offer; asked at every request. */
  models(): NamedModels;
}
