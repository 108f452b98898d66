import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { behind } from './behind-storage';
import { type CopyFilesDeps, copyFiles } from './copy-files';
import { ObjectMissingError, type Storage } from './storage';

/** A storage in memory, of what this command uses. */
function storageOf(objects: Map<string, Buffer>): Storage {
  return {
    async put(key, body) {
      objects.set(key, Buffer.isBuffer(body) ? body : await buffer(body as Readable));
    },
    async open(key) {
      const found = objects.get(key);
      if (found === undefined) throw new ObjectMissingError(key);
      return Readable.from([found]);
    },
    async remove(key) {
      objects.delete(key);
    },
    list: () => Promise.reject(new Error('nothing is listed')),
  };
}

const KEYS = ['first', 'second', 'third'];
const rows = KEYS.map((key) => ({
  id: key,
  storageKey: key,
  contentType: 'image/png',
  bytes: BigInt(key.length),
  sha256: createHash('sha256').update(key).digest(),
}));
const ofFolder = () => new Map(KEYS.map((key) => [key, Buffer.from(key)]));

function databaseOf(): CopyFilesDeps['database'] {
  const mediaObject = {
    findMany: async ({ where }: { where: { id: { gt: string } } }) => (where.id.gt === '' ? rows : []),
  };
  return { mediaObject } as never;
}

it('a file that cannot be read holds up no other, and is named with the reason', async () => {
  const bucket = new Map<string, Buffer>();
  const folder = storageOf(ofFolder());
  const from: Storage = {
    ...folder,
    open: (key) => (key === 'second' ? Promise.reject(new Error('EIO: i/o error')) : folder.open(key)),
  };
  const done = await copyFiles({ database: databaseOf(), from, to: storageOf(bucket) });
  expect(done).toMatchObject({ copied: 2, failed: ['second'], firstFailure: 'Error: EIO: i/o error' });
  expect([...bucket.keys()].sort()).toEqual(['first', 'third']);
});

it('a file that is removed while it is copied does not come back', async () => {
  const [folder, bucket] = [ofFolder(), new Map<string, Buffer>()];
  const [from, target] = [storageOf(folder), storageOf(bucket)];
  const to: Storage = {
    ...target,
    async put(key, body, facts) {
      if (key === 'second') await behind(target, from).remove(key);
      await target.put(key, body, facts);
    },
  };
  expect(await copyFiles({ database: databaseOf(), from, to })).toEqual({
    copied: 2,
    there: 0,
    missing: [],
    damaged: [],
    failed: [],
  });
  expect([...bucket.keys()].sort()).toEqual(['first', 'third']);
});
