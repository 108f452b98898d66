import { setTimeout as delay } from 'node:timers/promises';
import type { Callback, CallbackReceiver } from './callback-receiver';
import type { DemoTask, GatewayClient } from './gateway-client';
import type { AsyncJob, DemoJob, LiveJob } from './jobs';
import { formatTable } from './table';

export interface DemoDeps {
  gateway: GatewayClient;
  receiver: CallbackReceiver;
  say(line: string): void;
}

interface DemoResult {
  job: DemoJob;
  seconds: number;
  task: DemoTask;
  /** What came of it, for the table. */
  shown: string;
}

const JOB_LIMIT_MS = 180_000;
const CALLBACK_LIMIT_MS = 30_000;
const POLL_MS = 300;

/**
 * Runs one job of each family through the public API, as a caller would, and shows what came of it: the results, what they
 * cost, and the signed callback of the first.
 *
 * @returns whether every job completed and the callback came with a good signature.
 */
export async function runDemo(jobs: readonly DemoJob[], { gateway, receiver, say }: DemoDeps): Promise<boolean> {
  const before = await gateway.readBalance();
  const deps = { gateway, receiver, say };
  const results = await Promise.all(jobs.map((job) => (job.live ? askLive(job, deps) : runJob(job, deps))));
  const after = await gateway.readBalance();

  say('');
  for (const line of formatTable(results.map(toRow))) say(line);
  say(`balance ${before} -> ${after}, ${round(before - after)} spent`);
  const completed = results.every(({ task }) => task.status === 'completed');
  const first = results.find(({ job }) => !job.live);
  if (first === undefined) return completed;
  const callback = await receiver.next(first.task.id, CALLBACK_LIMIT_MS);
  for (const line of describeCallback(callback)) say(line);
  return callback.verified && completed;
}

/** A live task is settled within moments of its answer. */
async function askLive(job: LiveJob, { gateway, say }: DemoDeps): Promise<DemoResult> {
  const started = performance.now();
  const { taskId, contentType, bytes } = await gateway.ask(job.path, job.body);
  const seconds = (performance.now() - started) / 1000;
  say(`${job.family}: ${taskId} answered`);
  for (;;) {
    const task = await gateway.readTask(taskId);
    if (hasEnded(task)) return { job, seconds, task, shown: job.show(contentType, bytes) };
    if (performance.now() - started > JOB_LIMIT_MS) throw new Error(`${taskId} did not end`);
    await delay(POLL_MS);
  }
}

function hasEnded({ status }: DemoTask): boolean {
  return status === 'completed' || status === 'failed';
}

async function runJob(job: AsyncJob, { gateway, receiver, say }: DemoDeps): Promise<DemoResult> {
  const started = performance.now();
  const id = await gateway.submit(job.path, { ...job.body, webhook: receiver.origin });
  say(`${job.family}: ${id} accepted`);
  let shown = '';
  for (;;) {
    const task = await gateway.readTask(id);
    const seconds = (performance.now() - started) / 1000;
    const state = `${task.status} ${task.progress}%`;
    if (state !== shown) say(`${job.family}: ${state}`);
    shown = state;
    if (hasEnded(task)) return { job, seconds, task, shown: job.links(task.result ?? {}).join(' ') };
    if (seconds * 1000 > JOB_LIMIT_MS) throw new Error(`${id} did not end within ${JOB_LIMIT_MS / 1000} s`);
    await delay(POLL_MS);
  }
}

function toRow({ job, seconds, task, shown }: DemoResult): Record<string, string> {
  return {
    family: job.family,
    model: job.model,
    status: task.status,
    time: `${seconds.toFixed(1)} s`,
    cost: task.cost === undefined ? '' : String(task.cost),
    result: task.error?.message ?? shown,
  };
}

function describeCallback({ headers, body, verified }: Callback): string[] {
  const shown = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  return [`callback received, signature ${verified ? 'verified' : 'NOT VALID'}`, ...shown, `  ${body}`];
}

/** Nano-units are the smallest money there is; a difference of two doubles has digits beyond them. */
function round(amount: number): number {
  return Number(amount.toFixed(9));
}
