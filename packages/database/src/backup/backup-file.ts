import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { BackupManifest } from './manifest';

/*
 * A backup is one gzip file of lines: the manifest as JSON, then the rows of each of its tables in its order, as COPY writes them,
 * each table closed by `\.`, and at the end END. No row is ever `\.`: COPY writes a backslash as two.
 */
const CLOSES_TABLE = Buffer.from('\\.\n');
const END = Buffer.from('{"end":true}\n');
const ONLY_ITS_OWNER = 0o600;

/** Writes to a file beside it first: `path` is whole or not there. `rowsOf` is called for each table in the manifest's order. */
export async function writeBackupFile(
  path: string,
  manifest: BackupManifest,
  rowsOf: (index: number) => AsyncIterable<Buffer>,
): Promise<void> {
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify(manifest)}\n`);
    for (const index of manifest.tables.keys()) {
      yield* rowsOf(index);
      yield CLOSES_TABLE;
    }
    yield END;
  }
  if (existsSync(path)) throw new BackupFileError(path, 'is there already');
  const unfinished = `${path}.part`;
  try {
    const file = createWriteStream(unfinished, { flags: 'wx', mode: ONLY_ITS_OWNER, flush: true });
    await pipeline(Readable.from(lines()), createGzip({ level: 6 }), file);
    await rename(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(unfinished, { force: true });
    throw error;
  }
}

export class BackupFileError extends Error {
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} ${what}`, options);
    this.name = 'BackupFileError';
  }
}

/** Reads a backup from its beginning to its end: the manifest, the rows of each table in order, and that it is whole. */
export class BackupReader {
  readonly #path: string;
  readonly #chunks: AsyncIterator<Buffer>;
  #pending: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
    const source = createReadStream(path);
    const unpacked = createGunzip();
    source.on('error', (error) => unpacked.destroy(error));
    this.#chunks = source.pipe(unpacked)[Symbol.asyncIterator]();
  }

  /** @throws BackupFileError where the file is no backup, or one of another format. */
  async manifest(): Promise<BackupManifest> {
    while (!this.#pending.includes('\n')) {
      if (!(await this.#more())) throw new BackupFileError(this.#path, 'is no backup of mediagate');
    }
    const end = this.#pending.indexOf('\n');
    const line = this.#pending.toString('utf8', 0, end);
    this.#pending = this.#pending.subarray(end + 1);
    return this.#parse(line);
  }

  /** The rows of the next table; has to be read to its end before the next. */
  async *rows(): AsyncGenerator<Buffer> {
    if (await this.#beginsWith(CLOSES_TABLE)) return this.#drop(CLOSES_TABLE.length);
    const closing = Buffer.concat([Buffer.from('\n'), CLOSES_TABLE]);
    for (;;) {
      const at = this.#pending.indexOf(closing);
      if (at !== -1) {
        yield this.#pending.subarray(0, at + 1);
        return this.#drop(at + closing.length);
      }
      // The mark may be cut in two by the end of a chunk.
      const safe = Math.max(0, this.#pending.length - closing.length);
      if (safe > 0) yield this.#pending.subarray(0, safe);
      this.#drop(safe);
      if (!(await this.#more())) throw this.#cutOff();
    }
  }

  /** @throws BackupFileError where the file was cut off. */
  async end(): Promise<void> {
    if (!(await this.#beginsWith(END))) throw this.#cutOff();
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #parse(line: string): BackupManifest {
    try {
      const manifest = JSON.parse(line) as BackupManifest;
      if (manifest.format === 1) return manifest;
    } catch (cause) {
      throw new BackupFileError(this.#path, 'is no backup of mediagate', { cause });
    }
    throw new BackupFileError(this.#path, 'is a backup of a format that this version does not know');
  }

  async #beginsWith(bytes: Buffer): Promise<boolean> {
    while (this.#pending.length < bytes.length) if (!(await this.#more())) return false;
    return this.#pending.subarray(0, bytes.length).equals(bytes);
  }

  #drop(count: number): void {
    this.#pending = this.#pending.subarray(count);
  }

  async #more(): Promise<boolean> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done === true) return false;
      this.#pending = Buffer.concat([this.#pending, value]);
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw new BackupFileError(this.#path, 'is not there');
      throw new BackupFileError(this.#path, 'cannot be read: it was cut off, or is no backup', { cause });
    }
  }

  #cutOff(): BackupFileError {
    return new BackupFileError(this.#path, 'was cut off: it has no end');
  }
}
