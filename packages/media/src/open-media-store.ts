import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import type { Database } from '@mediagate/database';
import { createLinks } from './links';
import { type MediaDatabase, MediaStore } from './media-store';
import { openStorage, type StorageSettings } from './storage/open-storage';
import { type ProbedPlace, probedFolder, probedStorage } from './storage/probe-place';
import { STORAGE_FAULTS, type StorageFaultKind, type StoragePlace } from './storage/storage-fault';
import { StorageHealth } from './storage/storage-health';
import { StorageUnavailableError } from './storage/storage-unavailable-error';
import { type LinkVariables, linkSecretsOf } from './storage-settings';
import { workFolderOf } from './work-space';

/** The process that owns the store: it closes the store when it ends, and is not ready while results cannot be kept. */
export interface MediaOwner {
  logger: Record<
    'error' | 'info' | 'warn',
    (event: string, fields?: { reason?: string; detail?: string; error?: unknown }) => void
  >;
  defer(name: string, close: () => void): void;
  addReadinessCheck(name: string, check: () => Promise<void>): void;
}

/** The variables that say where a process writes. */
interface PlaceVariables {
  /** The filesystem driver keeps its files in `media` below it. */
  MEDIAGATE_HOME: string;
  STORAGE_MIN_FREE_MB: number;
  /** Declared by services that work on files: theirs is tried out, too. */
  WORK_FOLDER?: string | undefined;
}

export interface OpenMediaStoreOptions {
  storage: StorageSettings;
  config: LinkVariables & PlaceVariables;
  publicBaseUrl: string;
}

const MEGABYTE = 1024 * 1024;
/** In the work folder: images are worked on in memory, and what is larger has bounds of its own. */
const WORK_MIN_FREE_BYTES = 64 * MEGABYTE;

/**
 * The media store as every process of a deployment opens it, so that what one writes the others find. A storage that cannot be used
 * does not end the process: it is not ready, says why in one line, and goes on as soon as the storage works.
 */
export async function openMediaStore(
  owner: MediaOwner,
  database: MediaDatabase & Pick<Database, 'reportStorage'>,
  { storage: settings, config, publicBaseUrl }: OpenMediaStoreOptions,
): Promise<MediaStore> {
  const storage = await openStorage(settings, folderOf(config));
  const report = createReport(owner, database);
  const health = new StorageHealth({
    places: await openPlaces(settings, config),
    onChange: (place, fault) => logChange(owner, place, fault),
    onLook: (faults) => void report(faults.map(({ place, kind }) => ({ place, kind }))),
  });
  owner.defer('storage probe', () => health.close());
  owner.addReadinessCheck('storage', async () => health.require());
  await health.start();
  return new MediaStore({
    database,
    storage,
    health,
    links: createLinks({ publicBaseUrl, secrets: linkSecretsOf(config) }),
  });
}

/** The places that a process with these settings writes to, to be tried out. */
export async function openPlaces(settings: StorageSettings, config: PlaceVariables): Promise<ProbedPlace[]> {
  // Connections of its own: slow readers of files keep those of the other. What is only read may be mounted so.
  const written = settings.driver === 's3' ? { ...settings, readFolder: false } : settings;
  return [
    probedStorage(await openStorage(written, folderOf(config)), config.STORAGE_MIN_FREE_MB * MEGABYTE),
    ...('WORK_FOLDER' in config ? [probedFolder(workFolderOf(config), WORK_MIN_FREE_BYTES)] : []),
  ];
}

function folderOf({ MEDIAGATE_HOME: home }: PlaceVariables): string {
  return join(home, 'media');
}

function logChange(
  { logger }: MediaOwner,
  place: StoragePlace,
  fault: { kind: StorageFaultKind; error: unknown } | undefined,
): void {
  if (fault === undefined) {
    logger.info('storage.works', { reason: place });
    return;
  }
  const { kind, error } = fault;
  const cause = isNativeError(error) && !(error instanceof StorageUnavailableError) ? `: ${error.message}` : '';
  logger.error('storage.failing', { reason: `${place} ${kind}`, detail: `${STORAGE_FAULTS[kind]}${cause}` });
}

/** Nothing is written while all is well, and one report at a time is on its way: the next look brings the next. */
function createReport({ logger }: MediaOwner, database: Pick<Database, 'reportStorage'>) {
  const processId = randomUUID();
  let [isReported, isBusy] = [false, false];
  return async (faults: readonly { place: string; kind: string }[]): Promise<void> => {
    if (isBusy || (faults.length === 0 && !isReported)) return;
    isBusy = true;
    try {
      await database.reportStorage(processId, faults);
      isReported = faults.length > 0;
    } catch (error) {
      logger.warn('storage.not_reported', { error });
    } finally {
      isBusy = false;
    }
  };
}
