import { keepUp, type Life, type Part } from './keep-up';

export interface SupervisorOptions {
  say(line: string): void;
  /** The processes that run now, reported at every change. */
  onChange(pids: Record<string, number>): void;
  backoffMs?: readonly number[];
  settledMs?: number;
}

export interface Supervisor {
  /** Starts a part and keeps it up from then on. @throws Error when three tries failed; it is tried on all the same. */
  start(part: Part): Promise<void>;
  pids(): Record<string, number>;
  /** Starts nothing any more and stops group after group, the parts of a group at the same time. */
  close(groups: readonly (readonly string[])[]): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

interface Kept {
  ending: AbortController;
  life: Life | undefined;
  /** Settles when it is no longer kept up. */
  done: Promise<void>;
}

/** Starts parts, keeps them up (see `keepUp` for what becomes of one that dies), and stops them. */
export function createSupervisor({ onChange, ...options }: SupervisorOptions): Supervisor {
  const pids = new Map<string, number>();
  const parts = new Map<string, Kept>();
  let closed = false;

  function setPid(name: string, pid: number | undefined): void {
    if (pid === undefined) pids.delete(name);
    else pids.set(name, pid);
    onChange(Object.fromEntries(pids));
  }

  function keep(part: Part, onFirstUp: () => void, onFailing: (error: Error) => void): void {
    const kept: Kept = { ending: new AbortController(), life: undefined, done: Promise.resolve() };
    parts.set(part.name, kept);
    const setLife = (life: Life | undefined) => {
      kept.life = life;
      setPid(part.name, life?.pid);
    };
    kept.done = keepUp(part, {
      ...options,
      signal: kept.ending.signal,
      onSpawned: (pid) => setPid(part.name, pid),
      onUp(life) {
        setLife(life);
        onFirstUp();
      },
      onDown: () => setLife(undefined),
      onFailing: (reason) => onFailing(new Error(`${part.name} does not stay up: ${reason}`)),
    }).then(() => onFailing(new Error(`${part.name} was stopped`)));
  }

  return {
    start: (part) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new Error(`${part.name} is not started any more`));
        else keep(part, resolve, reject);
      }),
    pids: () => Object.fromEntries(pids),
    async close(groups) {
      closed = true;
      for (const names of groups) await Promise.all(names.map((name) => stop(parts.get(name))));
    },
    kill() {
      closed = true;
      for (const { ending } of parts.values()) ending.abort();
      for (const pid of pids.values()) killAtOnce(pid);
    },
  };
}

async function stop(kept: Kept | undefined): Promise<void> {
  kept?.ending.abort();
  await kept?.life?.stop();
  await kept?.done;
}

function killAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
