import { behind } from './behind-storage';
import { createFilesystemStorage } from './filesystem';
import type { S3Settings } from './s3';
import type { Storage } from './storage';

/** The `storage` part of the operator's settings. */
export type StorageSettings = { driver: 'filesystem' } | ({ driver: 's3' } & S3Settings);

/** `filesystemRoot` is the folder of the filesystem driver; it is made when it is not there. */
export async function openStorage(settings: StorageSettings, filesystemRoot: string): Promise<Storage> {
  switch (settings.driver) {
    case 'filesystem':
      return createFilesystemStorage({ root: filesystemRoot });
    case 's3': {
      // Only where it is used: Amazon's client takes a tenth of a process's start to load.
      const { createS3Storage } = require('./s3') as typeof import('./s3');
      const bucket = createS3Storage(settings);
      return settings.readFolder ? behind(bucket, await createFilesystemStorage({ root: filesystemRoot })) : bucket;
    }
  }
}
