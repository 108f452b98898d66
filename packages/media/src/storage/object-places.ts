import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../stale-files';
import { flushFolder } from './folder-flushes';
import { assertKey, type KeyList, type ListOptions } from './storage';

/** Where the object of a key stands. */
export type Place = (key: string) => string;

/** By this file in the root, processes of 0.1.0 know that objects stand by their time. */
const MARK_OF_0_1 = 'objects-by-time';
/** Begins the name of a folder with one second's objects. */
const TIME_PREFIX = 't-';
/** Where an id that holds its time counts seconds; the count starts anew after 17 minutes. */
const SECONDS = { from: 6, to: 8 };
const TIMED_NAME = /^[0-9a-hjkmnp-tv-z]{26}\./;

/** Makes the root, and flushes the folders above it as far as they are new. */
export async function makeRoot(root: string): Promise<void> {
  const first = await makeFolder(root);
  // A disk that is full or read-only says so where an object is written.
  await writeFile(path.join(root, MARK_OF_0_1), '', { mode: 0o600, flag: 'a' }).catch(() => undefined);
  if (first === undefined) return;
  for (let above = path.resolve(root); above.length >= path.resolve(first).length; ) {
    above = path.dirname(above);
    await flushFolder(above);
  }
}

/**
 * Places an object in one of 1,024 folders, by the second: objects stored at the same time stand together, so that one flush is for
 * all of them, and there are few folders to be made.
 */
export function placesIn(objects: string): Place {
  return (key) => {
    const name = path.basename(key);
    const part = TIMED_NAME.test(name) ? name.slice(SECONDS.from, SECONDS.to) : hashOf(key).slice(0, 2);
    return within(objects, `${TIME_PREFIX}${part}`, key);
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function within(objects: string, folder: string, key: string): string {
  assertKey(key);
  const target = path.resolve(objects, folder, key);
  if (!target.startsWith(objects + path.sep)) throw new TypeError('a storage key leads out of the storage');
  return target;
}

/** Lists one folder of `objects` at a time: the first that sorts at or behind `place`. */
export async function listObjects(objects: string, { prefix, before, place = '' }: ListOptions): Promise<KeyList> {
  const [folder, next] = (await namesIn(objects)).filter((name) => name >= place).sort();
  if (folder === undefined) return { keys: [], next };
  const names = await namesIn(path.join(objects, folder, prefix));
  return { keys: names.map((name) => prefix + name).filter((key) => key < before), next };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** Makes a folder that only the gateway's own user may read, whatever the umask allows. Answers the first folder it had to make. */
export async function makeFolder(folder: string): Promise<string | undefined> {
  return mkdir(folder, { recursive: true, mode: 0o700 });
}
