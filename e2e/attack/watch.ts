import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../system/caller';

/** The service as others saw it while something happened to it. */
export interface Watched {
  /** Submissions and polls of somebody else, from the moment they were due, in ascending order. */
  latenciesMs: number[];
  /** Answers other than 200, by status; `none` where there was no answer. */
  refused: Record<string, number>;
  /** Memory of the API process, at its highest. */
  peakMib: number;
  /** Longest wait for an answer of /healthz. */
  slowestHealthMs: number;
}

export interface WatchedApi {
  pid: number;
  /** Status of /healthz. */
  health(): Promise<number>;
}

/** Half of what the chart gives the API, for a process and all that it starts. */
export const MEMORY_MAX_MIB = 512;
const PER_SECOND = 40;
const SAMPLE_MS = 50;
const SUBMISSION = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' };

/**
 * Another caller goes on by the clock, submitting and polling in turn, while `during` runs: who waits for an answer does not
 * ask less often.
 */
export async function watch(api: WatchedApi, caller: Caller, during: () => Promise<unknown>): Promise<Watched> {
  const watched: Watched = { latenciesMs: [], refused: {}, peakMib: 0, slowestHealthMs: 0 };
  let over = false;
  const asked: Promise<void>[] = [];
  const ask = async (turn: number, dueAt: number) => {
    const call = turn % 2 === 0 ? caller.post('/v1/images/generations', SUBMISSION) : caller.get('/v1/balance');
    const status = await call.then(
      (answer) => String(answer.status),
      () => 'none',
    );
    watched.latenciesMs.push(performance.now() - dueAt);
    if (status !== '200') watched.refused[status] = (watched.refused[status] ?? 0) + 1;
  };
  async function goOn(): Promise<void> {
    const startedAt = performance.now();
    for (let turn = 0; !over; turn += 1) {
      const dueAt = startedAt + (turn * 1000) / PER_SECOND;
      await delay(Math.max(0, dueAt - performance.now()));
      asked.push(ask(turn, dueAt));
    }
  }
  async function askHealth(): Promise<void> {
    while (!over) {
      const askedAt = performance.now();
      if ((await api.health()) !== 200) throw new Error('/healthz is not well');
      watched.slowestHealthMs = Math.max(watched.slowestHealthMs, performance.now() - askedAt);
      await delay(SAMPLE_MS);
    }
  }
  const watching = [goOn(), askHealth()];
  try {
    watched.peakMib = (await watchMemory(api, during)).peakMib;
  } finally {
    over = true;
    await Promise.all(watching);
    await Promise.all(asked);
  }
  watched.latenciesMs.sort((left, right) => left - right);
  return watched;
}

/** The most that the process holds while `during` runs. */
export async function watchMemory(
  { pid }: Pick<WatchedApi, 'pid'>,
  during: () => Promise<unknown>,
): Promise<Pick<Watched, 'peakMib'>> {
  return { peakMib: await peakOf(() => residentMib(pid), during) };
}

/** The most that the process and all that it has started hold together, memory that they share counted once. */
export function watchFamily({ pid }: Pick<WatchedApi, 'pid'>, during: () => Promise<unknown>): Promise<number> {
  return peakOf(async () => {
    const shares = await Promise.all((await familyOf(pid)).map(shareMib));
    return shares.reduce((sum, share) => sum + share, 0);
  }, during);
}

async function peakOf(measureMib: () => Promise<number>, during: () => Promise<unknown>): Promise<number> {
  let peakMib = 0;
  let over = false;
  async function sample(): Promise<void> {
    while (!over) {
      peakMib = Math.max(peakMib, await measureMib());
      await delay(SAMPLE_MS);
    }
  }
  const sampling = sample();
  try {
    await during();
  } finally {
    over = true;
    await sampling;
  }
  return peakMib;
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** The process and those that descend from it, as Linux lists them. */
async function familyOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()];
}

/** Zero once it has ended. */
async function shareMib(pid: number): Promise<number> {
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1] ?? 0) / 1024;
}

/** Joins several of them into one. */
export function together(watched: readonly Watched[]): Watched {
  const refused: Watched['refused'] = {};
  for (const [status, times] of watched.flatMap((each) => Object.entries(each.refused))) {
    refused[status] = (refused[status] ?? 0) + times;
  }
  return {
    latenciesMs: watched.flatMap(({ latenciesMs }) => latenciesMs).sort((left, right) => left - right),
    refused,
    peakMib: Math.max(...watched.map(({ peakMib }) => peakMib)),
    slowestHealthMs: Math.max(...watched.map(({ slowestHealthMs }) => slowestHealthMs)),
  };
}

export function p99Of({ latenciesMs }: Watched): number {
  return percentile(latenciesMs, 0.99);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** One line for people. */
export function describe(name: string, { latenciesMs, refused, peakMib, slowestHealthMs }: Watched): string {
  const figures = [
    `p50 ${percentile(latenciesMs, 0.5).toFixed(1)} ms`.padStart(14),
    `p99 ${percentile(latenciesMs, 0.99).toFixed(1)} ms`.padStart(15),
    `max ${(latenciesMs.at(-1) ?? 0).toFixed(0)} ms`.padStart(13),
    `health ${slowestHealthMs.toFixed(0)} ms`.padStart(15),
    `${peakMib.toFixed(0)} MiB`.padStart(9),
    `  refused ${JSON.stringify(refused)}`,
  ];
  return `${name.padEnd(34)}${figures.join('')}`;
}
