import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FileOnDisk, GatewayError, MediaBytes } from '@mediagate/contracts';
import { ByteCollector, FileWriter } from '@mediagate/egress';
import { readMedium, type StorageHealth, type WorkFolder } from '@mediagate/media';
import { FILE_BYTES_IN_FLIGHT } from '../../request-limits';
import { CallerLeftError } from '../../use-cases/caller-connection';
import type { ByteLease, ByteShares, Owner } from './byte-shares';

export interface CallerFilesParts {
  /** Bytes of callers' files on the disk, over all requests of the process. */
  disk: ByteShares;
  makeFolder(): Promise<WorkFolder>;
  health: Pick<StorageHealth, 'require' | 'use'>;
}

/**
 * The files that stand in the body of one request, from when they arrive until it is answered. One of up to 256 KiB is in memory; a
 * longer one is on the disk, and no more of it in memory than that.
 */
export class CallerFiles {
  readonly #parts: CallerFilesParts;
  readonly #memory: Pick<ByteLease, 'take'>;
  readonly #writers: FileWriter[] = [];
  #owner: Owner | undefined;
  #disk: ByteLease | undefined;
  /** Bytes of the disk that are taken, and not used yet. */
  #announcedBytes = 0;
  #folder: Promise<WorkFolder> | undefined;
  #isClosed = false;

  /** @param memory the request's own. */
  constructor(parts: CallerFilesParts, memory: Pick<ByteLease, 'take'>) {
    this.#parts = parts;
    this.#memory = memory;
  }

  /** Counts the files towards the shares of the key and its account from here on. */
  own(caller: Owner): void {
    this.#owner = caller;
  }

  /**
   * Takes a turn of the account's for an upload, and room for what it announces, before any of it is read.
   *
   * @throws GatewayError where there is none; StorageUnavailableError.
   */
  openUpload(announcedBytes: number): void {
    this.#parts.health.require();
    requireTaken(this.#openDisk().open());
    if (announcedBytes <= FILE_BYTES_IN_FLIGHT) return;
    this.takeDisk(announcedBytes);
    this.#announcedBytes = announcedBytes;
  }

  newFile(): ArrivingFile {
    return new ArrivingFile(this);
  }

  /** Resolves once the disk has caught up with what arrived; undefined: there is nothing to wait for. */
  backlog(): Promise<unknown> | undefined {
    return FileWriter.backlogOf(this.#writers, FILE_BYTES_IN_FLIGHT);
  }

  /** Throws GatewayError where there is no room. */
  takeMemory(bytes: number): void {
    requireTaken(this.#memory.take(bytes));
  }

  /** The same of the disk. What arrives after the request is over finds none: nobody would give it back. */
  takeDisk(bytes: number): void {
    if (this.#isClosed) throw new CallerLeftError();
    const covered = Math.min(this.#announcedBytes, bytes);
    this.#announcedBytes -= covered;
    if (covered < bytes) requireTaken(this.#openDisk().take(bytes - covered));
  }

  #openDisk(): ByteLease {
    if (this.#disk === undefined) {
      this.#disk = this.#parts.disk.lease();
      if (this.#owner) this.#disk.own(this.#owner);
    }
    return this.#disk;
  }

  /** @throws StorageUnavailableError where files could not be kept. */
  newWriter(): FileWriter {
    this.#parts.health.require();
    const name = `file-${this.#writers.length}`;
    const writer = new FileWriter(async () => {
      this.#folder ??= this.#parts.makeFolder();
      return join((await this.#folder).path, name);
    });
    this.#writers.push(writer);
    return writer;
  }

  /** @throws StorageUnavailableError */
  written(writer: FileWriter): Promise<FileOnDisk> {
    return this.#parts.health.use('work', () => writer.end());
  }

  /** The same bytes on the disk, for a program that reads files. @throws GatewayError where there is no room for them; StorageUnavailableError. */
  async onDisk(content: MediaBytes): Promise<FileOnDisk> {
    if (!Buffer.isBuffer(content)) return content;
    const writer = this.newWriter();
    this.takeDisk(content.length);
    writer.push(content);
    return this.written(writer);
  }

  /** All of a file in memory. @throws GatewayError where there is no room for it. */
  async read(content: MediaBytes): Promise<Buffer> {
    if (!Buffer.isBuffer(content)) this.takeMemory(content.totalBytes);
    return readMedium(content);
  }

  /** Nobody reads them any more. A second call does nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#disk === undefined) return;
    await Promise.all(this.#writers.map((writer) => writer.close()));
    // A folder that cannot be made or removed only takes space, and is swept later.
    await this.#folder?.then((folder) => folder.remove()).catch(() => undefined);
    this.#disk.release();
  }
}

function requireTaken(refused: GatewayError | undefined): void {
  if (refused) throw refused;
}

/** One file, of which nobody knows how long it will be. */
export class ArrivingFile {
  readonly #files: CallerFiles;
  /** All of a short file. */
  #head = new ByteCollector();
  #writer: FileWriter | undefined;
  #size = 0;

  constructor(files: CallerFiles) {
    this.#files = files;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** The bytes are kept, and must not change. Throws GatewayError where there is no room for them. */
  push(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#writer === undefined && this.#size <= FILE_BYTES_IN_FLIGHT) {
      this.#files.takeMemory(bytes.length);
      this.#head.push(bytes);
      return;
    }
    if (this.#writer === undefined) this.#begin();
    this.#files.takeDisk(bytes.length);
    this.#writer?.push(bytes);
  }

  #begin(): void {
    const writer = this.#files.newWriter();
    this.#files.takeDisk(this.#head.size);
    writer.push(this.#head.bytes());
    this.#writer = writer;
    this.#head = new ByteCollector();
  }

  /** The SHA-256 of all bytes: no more may follow. */
  sha256(): Buffer {
    return this.#writer?.sha256() ?? createHash('sha256').update(this.#head.bytes()).digest();
  }

  /** All of the file. @throws StorageUnavailableError */
  async end(): Promise<MediaBytes> {
    return this.#writer ? this.#files.written(this.#writer) : this.#head.bytes();
  }
}
