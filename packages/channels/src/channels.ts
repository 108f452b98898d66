import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Sealer } from '@mediagate/identity';
import type { PartReader, Settings } from '@mediagate/settings';
import type { Protocols } from '@mediagate/upstreams';

/** The domain of channels, opened once in a process. Each command and each question takes the parts of it that it uses. */
export interface Channels {
  database: Database;
  /** The channels of the file as they are written there, by id, without what operators set over it. */
  inFile(): ReadonlyMap<string, JsonObject>;
  /** Every channel as it counts now, as a file would have it, by id. */
  sources(): Promise<ReadonlyMap<string, JsonObject>> | ReadonlyMap<string, JsonObject>;
  /** The file's rules of callbacks. */
  webhooksInFile(): Pick<Settings['webhooks'], 'retryDelaysSeconds' | 'timeoutSeconds'>;
  /** Checks settings, whatever keys this process has. */
  reader: PartReader;
  /** Looks up all keys that this process has. */
  keys: PartReader;
  /** The protocols that channels may speak. */
  protocols(): Protocols;
  /** Seals the vendors' keys that the database keeps; undefined: the process has no key to seal them with. */
  sealer: Sealer | undefined;
}

/** The part that a change of channels takes. */
export type ChangedChannels = Pick<Channels, 'database' | 'inFile' | 'reader'>;
