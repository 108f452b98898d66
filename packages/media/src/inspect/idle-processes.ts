import type { ChildProcess } from 'node:child_process';

interface Kept {
  timer: NodeJS.Timeout;
  /** The file of this account was its last; test work of an account counts as another one. */
  owner: string;
}

/**
 * Processes kept for the next file: to start one takes some 80 ms of a core, and one that waits takes some 20 MB. An account takes its own
 * process, and another's only where the pool is full: else an account with bad files would use up the process of one with good files,
 * which would then wait for the next to start.
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

  /** Undefined: no connected process is kept for the owner or, with `ofAnybody`, for anybody. */
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
    // The child does not keep this process from ending, and ends with it.
    child.unref();
    child.channel?.unref();
  }

  /** Forgets the process before its exit is reported: nobody may be given one that ends. */
  #end(child: ChildProcess): void {
    this.forget(child);
    child.kill('SIGKILL');
  }

  forget(child: ChildProcess): void {
    clearTimeout(this.#kept.get(child)?.timer);
    this.#kept.delete(child);
  }
}
