import { open } from 'node:fs/promises';

/** A rename lasts only once its folder is on the disk. One flush serves everybody who asked for it before it began. */
export class FolderFlushes {
  readonly #flush: (folder: string) => Promise<void>;
  readonly #running = new Map<string, Promise<void>>();
  /** Begins when the one that runs has ended. */
  readonly #next = new Map<string, Promise<void>>();

  constructor(flush: (folder: string) => Promise<void> = flushFolder) {
    this.#flush = flush;
  }

  /** Rejects where the flush that it waited for failed: nobody knows what of the folder is on the disk. */
  flush(folder: string): Promise<void> {
    const next = this.#next.get(folder);
    if (next !== undefined) return next;
    const running = this.#running.get(folder);
    if (running === undefined) return this.#run(folder);
    const run = () => {
      this.#next.delete(folder);
      return this.#run(folder);
    };
    const later = running.then(run, run);
    this.#next.set(folder, later);
    return later;
  }

  #run(folder: string): Promise<void> {
    const run = this.#flush(folder).finally(() => this.#running.delete(folder));
    this.#running.set(folder, run);
    return run;
  }
}

export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
