import { setTimeout as delay } from 'node:timers/promises';
import type { CallbackReceiver } from './callback-receiver';
import type { DemoTask, GatewayClient } from './gateway-client';
import type { AsyncJob, DemoJob, SynchronousJob } from './jobs';

export interface DemoDeps {
  gateway: GatewayClient;
  receiver: CallbackReceiver;
  /** Services that did not come up: their families are not tried. */
  missing: readonly string[];
  onProgress(family: string, state: string): void;
  limits?: DemoLimits;
}

export interface DemoLimits {
  jobMs: number;
  callbackMs: number;
  pollMs: number;
}

export interface DemoReport {
  outcomes: Outcome[];
  /** In currency units; undefined when they could not be read. */
  balance: { before: number; after: number } | undefined;
  failures: Failure[];
}

export interface Outcome {
  job: DemoJob;
  status: string;
  seconds: number;
  /** In currency units, once it is known. */
  cost: number | undefined;
  links: string[];
  /** The result, where it is no link. */
  shown: string;
  /** Whether its callback came, signed as it must be; undefined of a job that has none. */
  callback: boolean | undefined;
}

export interface Failure {
  family: string;
  reason: string;
  /** The service whose log says more. */
  service: string;
}

const LIMITS: DemoLimits = { jobMs: 180_000, callbackMs: 30_000, pollMs: 300 };
const SENDER = 'webhook-delivery';

/**
 * Runs one job of each family through the public API, as a caller would. A family that fails, for whatever reason, is
 * reported and does not keep the others from their end.
 */
export async function runDemo(jobs: readonly DemoJob[], deps: DemoDeps): Promise<DemoReport> {
  const before = await readBalance(deps);
  const runs = jobs.map((job) => new FamilyRun(job, deps));
  await Promise.all(runs.map((run) => run.run()));
  const after = await readBalance(deps);
  const failures = [before.failure ?? after.failure, ...runs.map((run) => run.failure)].flatMap((one) => one ?? []);
  return { outcomes: runs.map((run) => run.outcome), balance: balanceOf(before, after), failures };
}

interface BalanceRead {
  amount?: number;
  failure?: Failure;
}

async function readBalance({ gateway }: DemoDeps): Promise<BalanceRead> {
  try {
    return { amount: await gateway.readBalance() };
  } catch (error) {
    return { failure: { family: 'balance', reason: (error as Error).message, service: 'api' } };
  }
}

function balanceOf(before: BalanceRead, after: BalanceRead): DemoReport['balance'] {
  if (before.amount === undefined || after.amount === undefined) return undefined;
  return { before: before.amount, after: after.amount };
}

/** One family's job, from its submission to its callback. */
class FamilyRun {
  readonly outcome: Outcome;
  failure: Failure | undefined;
  readonly #deps: DemoDeps;
  readonly #limits: DemoLimits;
  readonly #startedMs = performance.now();

  constructor(job: DemoJob, deps: DemoDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? LIMITS;
    this.outcome = { job, status: '', seconds: 0, cost: undefined, links: [], shown: '', callback: undefined };
  }

  async run(): Promise<void> {
    const { job } = this.outcome;
    try {
      if (this.#deps.missing.includes(job.service)) throw new Error('its service did not come up');
      await (job.synchronous ? this.#ask(job) : this.#submit(job));
    } catch (error) {
      this.#fail((error as Error).message, job.service);
      this.outcome.status = 'failed';
    }
    this.#deps.onProgress(job.family, this.failure === undefined ? 'done' : 'failed');
  }

  /** The answer of a synchronous task arrives before the task is settled. */
  async #ask(job: SynchronousJob): Promise<void> {
    const { taskId, contentType, bytes } = await this.#deps.gateway.ask(job.path, job.body);
    this.#measure();
    await this.#untilEnd(taskId);
    this.outcome.shown = job.show(contentType, bytes);
  }

  async #submit(job: AsyncJob): Promise<void> {
    const { gateway, receiver } = this.#deps;
    const taskId = await gateway.submit(job.path, { ...job.body, webhook: receiver.origin });
    const task = await this.#untilEnd(taskId, ({ status, progress }) => {
      this.#measure();
      this.#deps.onProgress(job.family, status === 'submitted' ? 'queued' : `${progress}%`);
    });
    await this.#checkCallback(taskId);
    this.outcome.links = job.links(task.result ?? {});
    if (this.outcome.links.length === 0) throw new Error('it completed without a result');
  }

  async #untilEnd(taskId: string, onRead: (task: DemoTask) => void = () => undefined): Promise<DemoTask> {
    for (;;) {
      const task = await this.#deps.gateway.readTask(taskId);
      onRead(task);
      this.outcome.status = task.status;
      this.outcome.cost = task.cost;
      if (task.status === 'completed') return task;
      if (task.status === 'failed') throw new Error(task.error?.message ?? `${taskId} failed without a reason`);
      if (performance.now() - this.#startedMs > this.#limits.jobMs) {
        throw new Error(`${taskId} did not end within ${this.#limits.jobMs / 1000} s`);
      }
      await delay(this.#limits.pollMs);
    }
  }

  /** The job itself succeeded: a callback that is missing is the sender's failure. */
  async #checkCallback(taskId: string): Promise<void> {
    try {
      const { verified } = await this.#deps.receiver.next(taskId, this.#limits.callbackMs);
      this.outcome.callback = verified;
      if (!verified) this.#fail('the signature of its callback is not valid', SENDER);
    } catch (error) {
      this.outcome.callback = false;
      this.#fail((error as Error).message, SENDER);
    }
  }

  #measure(): void {
    this.outcome.seconds = (performance.now() - this.#startedMs) / 1000;
  }

  #fail(reason: string, service: string): void {
    this.failure ??= { family: this.outcome.job.family, reason, service };
  }
}
