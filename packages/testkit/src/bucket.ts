import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** A bucket of its own, served by this process. */
export interface Bucket {
  /** `storage` of the operator's file that leads here. */
  storage: typeof KEYS & { endpoint: string };
  /** A folder that is removed with the bucket. */
  directory: string;
  close(): Promise<void>;
}

const KEYS = {
  driver: 's3',
  region: 'us-east-1',
  bucket: 'results',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
  forcePathStyle: true,
} as const;

export async function openBucket(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'mediagate-s3-'));
  const configureBuckets = [{ name: KEYS.bucket }];
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets });
  keepFolders(server);
  const { port } = await server.run();
  return {
    storage: { ...KEYS, endpoint: `http://127.0.0.1:${port}` },
    directory,
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

/**
 * With its last object s3rver removes a folder, and ends its process where another object is just being written there. S3 has
 * no folders that could be missing.
 */
function keepFolders({ store }: S3rver): void {
  const files = ['object', 'object.md5', 'metadata.json'];
  store.deleteObject = async (bucket, key) => {
    await Promise.all(files.map((name) => rm(store.getResourcePath(bucket, key, name), { force: true })));
  };
}
