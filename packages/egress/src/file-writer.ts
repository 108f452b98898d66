import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { FileOnDisk } from '@mediagate/contracts';

/** Hears once what kept a file from being written, and how many bytes it was to have by then. */
export type WriteFailed = (error: unknown, bytes: number) => void;

/** Bytes that wait for the disk before whoever sends them is to wait. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/** Writes bytes to a new file as they arrive, with their size and hash on the way. */
export class FileWriter {
  readonly #newPath: () => Promise<string>;
  readonly #onFailure: WriteFailed | undefined;
  readonly #hash = createHash('sha256');
  #file: { path: string; handle: FileHandle } | undefined;
  #totalBytes = 0;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;

  /** @param newPath answers where there is no file yet; called with the first bytes, or at the end. */
  constructor(newPath: () => Promise<string>, onFailure?: WriteFailed) {
    this.#newPath = newPath;
    this.#onFailure = onFailure;
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

  /** Resolves once the disk has caught up; undefined: there is nothing to wait for. Never rejects. */
  backlog(): Promise<void> | undefined {
    return this.#unwrittenBytes > MAX_UNWRITTEN_BYTES ? this.#writing : undefined;
  }

  /** The file, once all of it is written, were it without a byte. Throws what kept it from being written. */
  async end(): Promise<Required<FileOnDisk>> {
    if (this.#totalBytes === 0) this.push(Buffer.alloc(0));
    await this.close();
    if (this.#failure !== undefined || this.#file === undefined) throw this.#failure?.error;
    return { path: this.#file.path, totalBytes: this.#totalBytes, sha256: this.#hash.digest() };
  }

  /** Closes the file, whose bytes may be given up. Never rejects. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file?.handle.close().catch((error: unknown) => this.#fail(error));
  }

  async #write(): Promise<void> {
    try {
      this.#file ??= await this.#open();
      while (this.#unwritten.length > 0) {
        const pieces = this.#unwritten;
        this.#unwritten = [];
        const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
        await this.#file.handle.writeFile(bytes);
        this.#unwrittenBytes -= bytes.length;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #open(): Promise<{ path: string; handle: FileHandle }> {
    const path = await this.#newPath();
    return { path, handle: await open(path, 'wx', 0o600) };
  }

  #fail(error: unknown): void {
    if (this.#failure === undefined) this.#onFailure?.(error, this.#totalBytes);
    this.#failure ??= { error };
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
  }
}
