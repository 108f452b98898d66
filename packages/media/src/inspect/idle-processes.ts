import type { ChildProcess } from 'node:child_process';

interface Kept {
  timer: NodeJS.Timeout;
  /** The file of this account was its last; test work of an account counts as another one. */
  owner: string;
}

/**
 * Kept for the next file: to start one takes some 80 ms of a core, and one that waits some 20 MB. An account takes its own, and another's only
 * where the pool has room for no more: else whoever has bad files read would use up the process of whoever sends a good one, which then
 * waits for the start of the next.
 */
export class IdleProcesses {
  readonly #kept = new Map<ChildProcess, Kept>();
  readonly #maxIdleMs: number;

  constructor(maxIdleMs: number) {
    this.#maxIdleMs = maxIdleMs;
  }

  get count(): number {
    return this.#kept.size;
  }

  /** Undefined: none is kept for the owner, nor `ofAnybody`, that can still be spoken to. */
  take(owner: string, ofAnybody: boolean): ChildProcess | undefined {
    const own = [...this.#kept].filter(([, kept]) => kept.owner === owner);
    for (const [child] of ofAnybody ? [...own, ...this.#kept] : own) {
      this.forget(child);
      if (!child.connected) continue;
      child.ref();
      child.channel?.ref();
      return child;
    }
    return undefined;
  }

  keep(child: ChildProcess, owner: string): void {
    const timer = setTimeout(() => this.#end(child), this.#maxIdleMs).unref();
    this.#kept.set(child, { timer, owner });
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
    clearTimeout(this.#kept.get(child)?.timer);
    this.#kept.delete(child);
  }
}
