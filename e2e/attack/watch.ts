import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../system/caller';

/** The service as others saw it while something happened to it. */
export interface Watched {
  /** Requests of somebody else, from the moment they were due, in ascending order. */
  latenciesMs: number[];
  /** Answers other than 200, by status; `none` where there was no answer. */
  refused: Record<string, number>;
  /** Memory of the API process and of all that it has started, at its highest, and that of the process alone. */
  peakMib: number;
  processMib: number;
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
const SAMPLE_MS = 50;
const SUBMISSION = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' };

/** Another caller's requests, each named by its turn. */
export interface Asked {
  perSecond: number;
  ask(turn: number): Promise<{ status: number }>;
}

/** Submissions and polls in turn. */
export const asUsual = (caller: Caller): Asked => ({
  perSecond: 40,
  ask: (turn) => (turn % 2 === 0 ? caller.post('/v1/images/generations', SUBMISSION) : caller.get('/v1/balance')),
});

/** Uploads of one good file, which is taken apart each time. */
export const uploadsOf = (url: string, key: string, file: Buffer): Asked => ({
  perSecond: 10,
  ask: async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), 'a.wav');
    const answer = await fetch(`${url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    await answer.arrayBuffer();
    return answer;
  },
});

/** Another caller goes on by the clock while `during` runs: who waits for an answer does not ask less often. */
export async function watch(api: WatchedApi, asked: Asked, during: () => Promise<unknown>): Promise<Watched> {
  const watched: Watched = { latenciesMs: [], refused: {}, peakMib: 0, processMib: 0, slowestHealthMs: 0 };
  const work = new AbortController();
  const watching = [askByTheClock(asked, watched, work.signal), askHealth(api, watched, work.signal)];
  try {
    Object.assign(watched, await peakMemory(api, during));
  } finally {
    work.abort();
    await Promise.all(watching);
  }
  watched.latenciesMs.sort((left, right) => left - right);
  return watched;
}

async function askByTheClock({ perSecond, ask }: Asked, watched: Watched, over: AbortSignal): Promise<void> {
  const answer = async (turn: number, dueAt: number) => {
    const status = await ask(turn).then(
      (given) => String(given.status),
      () => 'none',
    );
    watched.latenciesMs.push(performance.now() - dueAt);
    if (status !== '200') watched.refused[status] = (watched.refused[status] ?? 0) + 1;
  };
  const answered: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let turn = 0; !over.aborted; turn += 1) {
    const dueAt = startedAt + (turn * 1000) / perSecond;
    await delay(Math.max(0, dueAt - performance.now()));
    answered.push(answer(turn, dueAt));
  }
  await Promise.all(answered);
}

async function askHealth(api: WatchedApi, watched: Watched, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const askedAt = performance.now();
    if ((await api.health()) !== 200) throw new Error('/healthz is not well');
    watched.slowestHealthMs = Math.max(watched.slowestHealthMs, performance.now() - askedAt);
    await delay(SAMPLE_MS);
  }
}

/** Measures what the process holds at most while `during` runs: alone, and with all that it has started. */
export async function peakMemory(
  { pid }: Pick<WatchedApi, 'pid'>,
  during: () => Promise<unknown>,
): Promise<Pick<Watched, 'peakMib' | 'processMib'>> {
  let [peakMib, processMib] = [0, 0];
  let over = false;
  async function sample(): Promise<void> {
    while (!over) {
      const own = await residentMib(pid);
      processMib = Math.max(processMib, own);
      peakMib = Math.max(peakMib, own + (await childrenMib(pid)));
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
  return { peakMib, processMib };
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Memory of those that descend from the process: their part of what is shared. */
async function childrenMib(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  const each = await Promise.all(children.map(async (child) => (await shareMib(child)) + (await childrenMib(child))));
  return each.reduce((sum, share) => sum + share, 0);
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
    processMib: Math.max(...watched.map(({ processMib }) => processMib)),
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
export function describe(name: string, watched: Watched): string {
  const { latenciesMs, refused, peakMib, processMib, slowestHealthMs } = watched;
  const figures = [
    `p50 ${percentile(latenciesMs, 0.5).toFixed(1)} ms`.padStart(14),
    `p99 ${percentile(latenciesMs, 0.99).toFixed(1)} ms`.padStart(15),
    `max ${(latenciesMs.at(-1) ?? 0).toFixed(0)} ms`.padStart(13),
    `health ${slowestHealthMs.toFixed(0)} ms`.padStart(15),
    `${processMib.toFixed(0)}, with children ${peakMib.toFixed(0)} MiB`.padStart(30),
    `  refused ${JSON.stringify(refused)}`,
  ];
  return `${name.padEnd(34)}${figures.join('')}`;
}
