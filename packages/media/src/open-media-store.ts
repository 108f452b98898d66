import { join } from 'node:path';
import { createLinks } from './links';
import { type MediaDatabase, MediaStore } from './media-store';
import { openStorage, type StorageSettings } from './storage/open-storage';

export interface OpenMediaStoreOptions {
  storage: StorageSettings;
  /** Data directory of the deployment (MEDIAGATE_HOME); the filesystem driver keeps its files in `media` below it. */
  home: string;
  publicBaseUrl: string;
  linkSecret: string;
}

/** The media store as every process of a deployment opens it, so that what one writes the others find. */
export async function openMediaStore(
  database: MediaDatabase,
  { storage, home, publicBaseUrl, linkSecret }: OpenMediaStoreOptions,
): Promise<MediaStore> {
  return new MediaStore({
    database,
    storage: await openStorage(storage, join(home, 'media')),
    links: createLinks({ publicBaseUrl, secret: linkSecret }),
  });
}
