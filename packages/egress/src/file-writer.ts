import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { retry } from '@mediagate/concurrency';
import type { FileOnDisk } from '@mediagate/contracts';

/** Hears what keeps a file from being written, each time that it is tried, and how many bytes it was to have by then. */
export type WriteFailed = (error: unknown, bytes: number) => void;

/** Bytes that wait for the disk before whoever sends them is to wait. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;
/** The longest pause between two tries. */
const MAX_PAUSE_MS = 10_000;
/** From a writer's first failure until its last pause begins, which ends within five minutes. */
const MAX_WAIT_MS = 300_000 - MAX_PAUSE_MS;
/** The disk is full, read-only, or closed to this process: an operator mends each. */
const PASSING = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

export interface FileWriterOptions {
  onFailure?: WriteFailed;
  /** The bytes cannot be had a second time: the writer keeps them while the disk takes nothing, until this signal or five minutes after its first failure. */
  waitsUntil?: AbortSignal;
}

/** Writes bytes to a new file as they arrive, with their size and hash on the way. */
export class FileWriter {
  readonly #newPath: () => Promise<string>;
  readonly #options: FileWriterOptions;
  readonly #hash = createHash('sha256');
  #sha256: Buffer | undefined;
  #file: { path: string; handle: FileHandle } | undefined;
  #totalBytes = 0;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;
  /** The first failure sets it: no pause begins later. */
  #lastPauseMs = Number.POSITIVE_INFINITY;

  /** @param newPath answers where there is no file yet; called with the first bytes, or at the end, and again where the disk took no file. */
  constructor(newPath: () => Promise<string>, options: FileWriterOptions = {}) {
    this.#newPath = newPath;
    this.#options = options;
  }

  /** The bytes are kept until they are written, and must not change. */
  push(bytes: Buffer): void {
    if (this.#failure !== undefined) return;
    this.#hash.update(bytes);
    this.#totalBytes += bytes.length;
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
    this.#writing ??= this.#write();
  }

  /** Resolves once the disk has caught up with all of these; undefined: there is nothing to wait for. Never rejects. */
  static backlogOf(
    writers: readonly FileWriter[],
    maxUnwrittenBytes = MAX_UNWRITTEN_BYTES,
  ): Promise<unknown> | undefined {
    let bytes = 0;
    for (const writer of writers) bytes += writer.#unwrittenBytes;
    return bytes > maxUnwrittenBytes ? Promise.all(writers.map((writer) => writer.#writing)) : undefined;
  }

  /** The SHA-256 of all bytes: no more may follow. */
  sha256(): Buffer {
    this.#sha256 ??= this.#hash.digest();
    return this.#sha256;
  }

  /** The file, once all of it is written, were it without a byte. Throws what kept it from being written. */
  async end(): Promise<Required<FileOnDisk>> {
    if (this.#totalBytes === 0) this.push(Buffer.alloc(0));
    await this.close();
    if (this.#failure !== undefined || this.#file === undefined) throw this.#failure?.error;
    return { path: this.#file.path, totalBytes: this.#totalBytes, sha256: this.sha256() };
  }

  /** Closes the file, whose bytes may be given up. Never rejects. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file?.handle.close().catch((error: unknown) => {
      this.#options.onFailure?.(error, this.#totalBytes);
      this.#fail(error);
    });
  }

  async #write(): Promise<void> {
    try {
      const { handle } = this.#file ?? (await this.#onDisk(() => this.#open()));
      while (this.#unwritten.length > 0) {
        const pieces = this.#unwritten;
        this.#unwritten = [];
        const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
        // A disk may take a part of them.
        for (let at = 0; at < bytes.length; ) at += (await this.#onDisk(() => handle.write(bytes, at))).bytesWritten;
        this.#unwrittenBytes -= bytes.length;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#writing = undefined;
    }
  }

  /** Reports each try that fails. Where the writer waits, work is tried again while the disk takes nothing. */
  async #onDisk<T>(work: () => Promise<T>): Promise<T> {
    const { waitsUntil: signal, onFailure } = this.#options;
    const tried = () =>
      work().catch((error: NodeJS.ErrnoException) => {
        onFailure?.(error, this.#totalBytes);
        this.#lastPauseMs = Math.min(this.#lastPauseMs, performance.now() + MAX_WAIT_MS);
        throw signal && PASSING.has(String(error.code)) ? new DiskError(error) : error;
      });
    if (signal === undefined) return tried();
    return retry(tried, {
      // Each pause is spread to twice its length at most.
      firstPauseMs: MAX_PAUSE_MS / 16,
      maxPauseMs: MAX_PAUSE_MS / 2,
      signal,
      isWorthRetrying: (error) => error instanceof DiskError && performance.now() < this.#lastPauseMs,
    });
  }

  async #open(): Promise<{ path: string; handle: FileHandle }> {
    const path = await this.#newPath();
    // Kept at once: the writer may be called off before it goes on.
    this.#file = { path, handle: await open(path, 'wx', 0o600) };
    return this.#file;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
  }
}

/** The disk takes nothing now. */
class DiskError extends Error {
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}
