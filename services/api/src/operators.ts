import type { Prices } from '@mediagate/billing';
import type { Callbacks } from '@mediagate/callbacks';
import type { Catalogue } from '@mediagate/catalog';
import type { Channels } from '@mediagate/channels';
import type { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Links } from '@mediagate/media';
import type { Queues } from '@mediagate/queue';
import type { Tasks } from '@mediagate/tasks';
import type { ListedSettings } from './list-settings';
import type { FindModels } from './offered-models';

/** The domains that operators' routes work with, and what this process knows of its settings. */
export interface Operators {
  database: Database;
  tasks: Tasks;
  callbacks: Callbacks;
  channels: Channels;
  queues: Pick<Queues, 'counts'>;
  /** Key of the hash of keys. */
  pepper: string;
  catalogue: Pick<Catalogue, 'entries' | 'billingKeys'>;
  /** The prices of the configuration file. */
  filePrices(): Prices;
  /** Slots for reports of margins, and for invoices by a zone. */
  marginSlots: Slots;
  /** The settings that this process uses. */
  listSettings(): ListedSettings;
  /** Links to results. */
  links: Pick<Links, 'parseOwnUrl' | 'sign' | 'verify'>;
  creditsPerUnit: number;
  /** Finds the models on offer; asked at every request. */
  models: FindModels;
}
