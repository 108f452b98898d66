import { close, fsync, open as openDescriptor, writeFile } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type FileOnDisk, timeOrderedId } from '@mediagate/contracts';
import { openFile } from '../media-bytes';
import { isMissing, removeStale } from '../stale-files';
import { exactChunks } from './exact-length';
import { FolderFlushes, flushFolder } from './folder-flushes';
import { listObjects, makeFolder, makeRoot, type Place, placesIn } from './object-places';
import { freeBytesIn } from './probe-place';
import { type ByteRange, type ObjectBody, type ObjectFacts, ObjectMissingError, type Storage } from './storage';

/**
 * Objects as files under `root`, on one disk or a shared one. A file is written aside, flushed to the disk and renamed, so
 * a crash leaves either the whole object or a stray file in `incoming`, which a later start sweeps out.
 */
export async function createFilesystemStorage({ root }: { root: string }): Promise<Storage> {
  const files = new FileStorage(root);
  // A disk that is full or read-only fails what is written, until it is mended; what it has can be read.
  await files.prepare().catch(() => undefined);
  return {
    put: (key, body, facts) => files.put(key, body, facts),
    open: (key, range) => files.open(key, range),
    remove: (key) => files.remove(key),
    list: (options) => listObjects(path.resolve(root, 'objects'), options),
    freeBytes: () => files.freeBytes(),
  };
}

/** Names that are kept: of each folder for each sort of object. */
const MAX_LASTING = 65_536;

class FileStorage {
  readonly #root: string;
  readonly #incoming: string;
  readonly #objects: string;
  readonly #place: Place;
  readonly #flushes = new FolderFlushes();
  /** Folders that this process has flushed into those above them. */
  readonly #lasting = new Set<string>();
  /** Undefined: the folders are not there yet, or not any more. */
  #prepared: Promise<void> | undefined;

  constructor(root: string) {
    this.#root = root;
    this.#incoming = path.join(root, 'incoming');
    this.#objects = path.resolve(root, 'objects');
    this.#place = placesIn(this.#objects);
  }

  /** Makes the folders; what failed is repeated by the next write. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#makeFolders().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #makeFolders(): Promise<void> {
    await makeRoot(this.#root);
    await makeFolder(this.#incoming);
    await makeFolder(path.join(this.#root, 'objects'));
    await flushFolder(this.#root);
    await removeStale(this.#incoming);
  }

  async put(key: string, body: ObjectBody, { bytes }: ObjectFacts): Promise<void> {
    await this.prepare();
    const target = this.#place(key);
    const aside = path.join(this.#incoming, timeOrderedId());
    try {
      if ('path' in body && 'totalBytes' in body) await keepFile(aside, body, bytes);
      else await writeThrough(aside, exactChunks(body, bytes));
      await this.#move(aside, target);
    } catch (error) {
      if (isMissing(error)) this.#prepared = undefined;
      await rm(aside, { force: true });
      throw error;
    }
  }

  async freeBytes(): Promise<number> {
    await this.prepare();
    return freeBytesIn(this.#root);
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const file = await openIfThere(this.#place(key));
    if (file) return file.createReadStream(range ?? {});
    throw new ObjectMissingError(key);
  }

  async remove(key: string): Promise<void> {
    await rm(this.#place(key), { force: true });
  }

  /** Lasts once the folder is on the disk, and those above it. Most are there already. */
  async #move(aside: string, target: string): Promise<void> {
    const folder = path.dirname(target);
    try {
      await rename(aside, target);
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#lasting.delete(folder);
      await makeFolder(folder);
      await rename(aside, target);
    }
    if (!this.#lasting.has(folder)) await this.#flushAbove(folder);
    await this.#flushes.flush(folder);
  }

  /** Flushes the folders above, also those that were there: the process that made them may not have flushed them. */
  async #flushAbove(folder: string): Promise<void> {
    for (let above = folder; above !== this.#objects; ) {
      above = path.dirname(above);
      await this.#flushes.flush(above);
    }
    if (this.#lasting.size >= MAX_LASTING) this.#lasting.clear();
    this.#lasting.add(folder);
  }
}

/** File functions by descriptor: a handle is an object with its own promises, which cost more than the work on a small file. */
const disk = {
  open: promisify(openDescriptor),
  write: promisify(writeFile),
  flush: promisify(fsync),
  close: promisify(close),
};

/** The file exists before the body is touched, so that whatever becomes of the body, there is a file to remove. */
async function writeThrough(file: string, body: AsyncIterable<Buffer>): Promise<void> {
  const descriptor = await disk.open(file, 'wx', 0o600);
  try {
    for await (const chunk of body) await disk.write(descriptor, chunk);
    await disk.flush(descriptor);
  } finally {
    await disk.close(descriptor);
  }
}

/** A second name for the file, where one can be had. Elsewhere it goes piece by piece: one call would hold one of four threads for all of it. */
async function keepFile(name: string, { path: from }: FileOnDisk, bytes: number): Promise<void> {
  if (!(await isLinked(name, from, bytes))) {
    return writeThrough(name, exactChunks(openFile({ path: from, totalBytes: bytes }), bytes));
  }
  const handle = await open(name, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** False: the file lies on another volume, or not all of it is wanted. */
async function isLinked(name: string, from: string, bytes: number): Promise<boolean> {
  const { size } = await stat(from);
  if (size !== bytes) return false;
  return link(from, name).then(
    () => true,
    () => false,
  );
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  return open(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
