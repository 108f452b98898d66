import type { ChildProcess } from 'node:child_process';

/** Kept for the next file: to start one takes some 80 ms of a core, and one that waits some 20 MB. */
export class IdleProcesses {
  readonly #kept = new Map<ChildProcess, NodeJS.Timeout>();
  readonly #maxIdleMs: number;

  constructor(maxIdleMs: number) {
    this.#maxIdleMs = maxIdleMs;
  }

  /** Undefined: none is kept that can still be spoken to. */
  take(): ChildProcess | undefined {
    for (const child of this.#kept.keys()) {
      this.forget(child);
      if (!child.connected) continue;
      child.ref();
      child.channel?.ref();
      return child;
    }
    return undefined;
  }

  keep(child: ChildProcess): void {
    this.#kept.set(child, setTimeout(() => this.#end(child), this.#maxIdleMs).unref());
    // It does not keep this one from ending, and ends with it.
    child.unref();
    child.channel?.unref();
  }

  /** Forgotten before its exit is heard of: nobody is to be given one that ends. */
  #end(child: ChildProcess): void {
    this.forget(child);
    child.kill('SIGKILL');
  }

  forget(child: ChildProcess): void {
    clearTimeout(this.#kept.get(child));
    this.#kept.delete(child);
  }
}
