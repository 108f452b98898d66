import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { randomToken } from '@mediagate/contracts';
import { isMissing, removeStale } from '../stale-files';
import { exactLength } from './exact-length';
import {
  assertKey,
  type ByteRange,
  type KeyList,
  type ListOptions,
  type ObjectFacts,
  ObjectMissingError,
  type Storage,
} from './storage';

/**
 * Objects as files under `root`, on one disk or a shared one. A file is written aside, flushed to the disk and renamed, so
 * a crash leaves either the whole object or a stray file in `incoming`, which a later start sweeps out.
 */
export async function createFilesystemStorage({ root }: { root: string }): Promise<Storage> {
  const incoming = path.join(root, 'incoming');
  await makeFolder(incoming);
  await removeStale(incoming);

  async function put(key: string, body: Buffer | Readable, { bytes }: ObjectFacts): Promise<void> {
    const target = pathOf(root, key);
    const aside = path.join(incoming, randomToken(16));
    try {
      await writeThrough(aside, exactLength(body, bytes));
      await makeFolder(path.dirname(target));
      await rename(aside, target);
      await flushFolder(path.dirname(target));
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  async function openObject(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(pathOf(root, key)).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissingError(key) : error;
    });
    return file.createReadStream(range ?? {});
  }

  async function remove(key: string): Promise<void> {
    await rm(pathOf(root, key), { force: true });
  }

  return { put, open: openObject, remove, list: (options) => listKeys(path.join(root, 'objects'), options) };
}

/** One of the 256 folders at a time, which is the place. */
async function listKeys(objects: string, { prefix, before, place = '' }: ListOptions): Promise<KeyList> {
  const [folder, next] = (await namesIn(objects)).filter((name) => name >= place).sort();
  if (folder === undefined) return { keys: [], next };
  const keys: string[] = [];
  for (const inner of await namesIn(path.join(objects, folder))) {
    const names = await namesIn(path.join(objects, folder, inner, prefix));
    keys.push(...names.map((name) => prefix + name).filter((key) => key < before));
  }
  return { keys, next };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** What callers made is for the gateway's own user alone, whatever the umask allows. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Two levels of 256 folders, chosen by the key's hash: keys sort by time and would all fall into one. */
function pathOf(root: string, key: string): string {
  assertKey(key);
  const hash = createHash('sha256').update(key).digest('hex');
  const objects = path.resolve(root, 'objects');
  const target = path.resolve(objects, hash.slice(0, 2), hash.slice(2, 4), key);
  if (!target.startsWith(objects + path.sep)) throw new TypeError('a storage key leads out of the storage');
  return target;
}

/** The file exists before the body is touched, so that whatever becomes of the body, there is a file to remove. */
async function writeThrough(file: string, body: Readable): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of body) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename lasts only once its folder is on the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
