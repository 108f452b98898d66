import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import {
  createLinks,
  createProber,
  createWorkFolders,
  openMediaStore,
  watchStorage,
  workFolderOf,
} from '@mediagate/media';
import { createFingerprintTaker } from '@mediagate/provenance';
import type { ApiConfig } from './config';
import type { Followed } from './follow-settings';
import { MemoryShares } from './http/memory-shares';
import { FILES_ON_DISK } from './request-limits';

interface MediaParts {
  followed: Pick<Followed, 'settings'>;
  config: ApiConfig;
  publicBaseUrl: string;
}

/** Where files of callers go, by which links they are read, and how those that arrive are judged. */
export async function openMedia(scope: Scope, database: Database, { followed, config, publicBaseUrl }: MediaParts) {
  const { storage, media } = followed.settings;
  const mediaStore = await openMediaStore(scope, database, { storage, config, publicBaseUrl });
  const { health } = mediaStore;
  watchStorage(scope.metrics, health);
  const maxImageBytes = media.maxImageMb * 1024 * 1024;
  const prober = createProber();
  const callerFiles = {
    makeFolder: createWorkFolders({ root: workFolderOf(config) }),
    disk: new MemoryShares(FILES_ON_DISK),
    health,
  };
  const links = createLinks({ publicBaseUrl, secret: config.MEDIAGATE_LINK_SECRET });
  const takeHashes = createFingerprintTaker(undefined);
  return { mediaStore, links, callerFiles, maxImageBytes, prober, takeHashes };
}
