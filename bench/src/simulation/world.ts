import { createSubmitter } from '@mediagate/billing';
import { createChannelChooser } from '@mediagate/channels';
import { type TaskId, timeOrderedId } from '@mediagate/contracts';
import type { Queues } from '@mediagate/queue';
import type { Channel } from '@mediagate/settings';
import { createEnqueueTask, type EnqueueTask } from '../../../services/api/src/use-cases/enqueue-task';
import type { Job } from '../../../services/reconciler/src/job';
import { dispatchTasks } from '../../../services/reconciler/src/jobs/dispatch-tasks';
import { enqueueDueTasks } from '../../../services/reconciler/src/jobs/enqueue-due-tasks';
import { handOverSlots } from '../../../services/reconciler/src/jobs/hand-over-slots';
import { Fleet } from './fleet';
import { ModelQueue } from './model-queue';
import { Vendor, type VendorOptions } from './vendor';
import { openVirtualDatabase, type VirtualDatabase } from './virtual-database';
import { VirtualTime } from './virtual-time';

export interface SimulatedAccount {
  id: string;
  key: { id: string };
}

export interface WorldOptions {
  /** A database of its own, with the product's schema and these accounts. */
  databaseUrl: string;
  accounts: readonly SimulatedAccount[];
  replicas: number;
  /** Slots of each replica. */
  concurrency: number;
  /** Jobs of the only channel at once; undefined: no limit. */
  maxConcurrency?: number;
  vendor: VendorOptions;
  seed?: number;
}

/** Times are milliseconds since the beginning. */
export interface SimulatedTask {
  account: number;
  submittedAt: number;
  /** When the vendor had taken it, less the latency. */
  begunAt?: number;
  endedAt?: number;
}

/** The time in which a process sees what happened elsewhere: nothing happens between two ticks. */
const TICK_MS = 50;
/** Tasks that one account submits in a tick at most: the API's own bounds would refuse more. */
const SUBMITTED_IN_TICK = 100;
const API_REPLICAS = 10;
const WINDOW = 500;
const MODEL = 'imagegen-2.5-flare';
const SUBMISSION = {
  model: MODEL,
  input: { prompt: 'a kite' },
  rates: { image_output: 1_000_000n },
  family: 'image',
  kind: 'image',
  operation: 'images.generations',
  catalogueVersion: 1,
  warnings: [],
  requestId: 'simulation',
  deadlineMs: 1_800_000,
  reservedNano: 1_000_000n,
} as const;

/** Fleet, reconciler and API around one database, all by one virtual clock. */
export class World {
  readonly tasks = new Map<TaskId, SimulatedTask>();
  readonly vendor: Vendor;
  readonly #time: VirtualTime;
  readonly #virtual: VirtualDatabase;
  readonly #options: WorldOptions;
  readonly #fleet: Fleet;
  readonly #submit: ReturnType<typeof createSubmitter>;
  readonly #enqueue: EnqueueTask[];
  readonly #beganAtMs: number;

  /** Runs `act` in a new world, whose clock is the process's meanwhile. */
  static async run<T>(options: WorldOptions, act: (world: World) => Promise<T>): Promise<T> {
    const virtual = await openVirtualDatabase(options.databaseUrl);
    const time = new VirtualTime({ beginsAtMs: Date.now(), seed: options.seed ?? 1 });
    try {
      return await time.install(() => act(new World(options, virtual, time)));
    } finally {
      await virtual.close();
    }
  }

  private constructor(options: WorldOptions, virtual: VirtualDatabase, time: VirtualTime) {
    const { database } = virtual;
    const queue = new ModelQueue(time);
    const channel = channelOf(options);
    this.#time = time;
    this.#beganAtMs = time.now.getTime();
    this.#virtual = virtual;
    this.#options = options;
    this.vendor = new Vendor(time, options.vendor);
    const { replicas, concurrency } = options;
    const onBegun = (id: TaskId) => this.#note(id, 'begunAt');
    const onEnded = (id: TaskId) => this.#note(id, 'endedAt');
    this.#fleet = new Fleet({
      time,
      database,
      queue,
      vendor: this.vendor,
      channel,
      replicas,
      concurrency,
      onBegun,
      onEnded,
    });
    this.#submit = createSubmitter(database);
    // The queue has what those who use it here ask for.
    const queues = queue as unknown as Queues;
    const logger = { warn: throwIt } as never;
    this.#enqueue = Array.from({ length: API_REPLICAS }, () =>
      createEnqueueTask({ queues, logger, windowJobs: WINDOW }),
    );
    const channels = createChannelChooser([channel]);
    const metrics = { registerMetric: () => undefined } as never;
    const jobs = [
      dispatchTasks({ database, queues, windowJobs: WINDOW }),
      enqueueDueTasks(database, queues),
      handOverSlots({ database, channels, queues, metrics }),
    ];
    for (const job of jobs) time.every(job.everyMs, () => void runJob(job));
  }

  /** Submits so many tasks of an account, the first of them now. */
  submit(account: number, count = 1): void {
    for (let made = 0; made < count; made += 1) {
      const tick = Math.floor(made / SUBMITTED_IN_TICK);
      if (tick === 0) void this.#submitOne(account);
      else this.#time.after(tick * TICK_MS, () => void this.#submitOne(account));
    }
  }

  every(periodMs: number, act: () => void): void {
    this.#time.every(periodMs, act, this.#time.random() * periodMs);
  }

  after(delayMs: number, act: () => void): void {
    this.#time.after(delayMs, act);
  }

  get statements(): number {
    return this.#virtual.statements();
  }

  get passedMs(): number {
    return this.#time.passedMs;
  }

  /** Lets time pass until `isOver` says so, at most for so long. */
  async pass(limitMs: number, isOver: () => boolean = () => false): Promise<void> {
    const endsAt = this.#time.passedMs + limitMs;
    while (this.#time.passedMs < endsAt && !isOver()) {
      const due = this.#time.advance(TICK_MS);
      // Jobs that wait have found no free slot, and only what is due can bring one.
      if (due.length === 0) continue;
      await this.#virtual.setTime(this.#time.now);
      for (const act of due) act();
      await this.#virtual.settled();
      this.#fleet.takeJobs();
      await this.#virtual.settled();
    }
  }

  async #submitOne(account: number): Promise<void> {
    const { id: accountId, key } = this.#options.accounts[account] as SimulatedAccount;
    const taskId = this.#nextId();
    this.tasks.set(taskId, { account, submittedAt: this.#time.passedMs });
    const { kind } = await this.#submit({ ...SUBMISSION, taskId, accountId, keyId: key.id });
    if (kind !== 'accepted') throw new Error(`a task was not accepted: ${kind}`);
    this.#enqueue[Math.floor(this.#time.random() * API_REPLICAS)]?.({ family: 'image', taskId, owner: { accountId } });
  }

  /** Tasks that are submitted within one tick keep their order, too. */
  #nextId(): TaskId {
    return `task_${timeOrderedId(this.#beganAtMs + this.tasks.size)}`;
  }

  #note(id: TaskId, what: 'begunAt' | 'endedAt'): void {
    const task = this.tasks.get(id);
    if (task) task[what] = this.#time.passedMs - (what === 'begunAt' ? this.#options.vendor.latencyMs : 0);
  }
}

async function runJob(job: Job): Promise<void> {
  for (let more = true; more; ) ({ more } = await job.run());
}

function throwIt(event: string, { error }: { error: unknown }): never {
  throw new Error(event, { cause: error });
}

function channelOf({ maxConcurrency }: WorldOptions): Channel {
  const models = new Map([[MODEL, 'simulated']]);
  const where = { id: 'simulated', protocol: 'openai-images', baseUrl: 'http://vendor.test', apiKey: 'none', models };
  return { ...where, priority: 1, weight: 1, maxConcurrency, options: {}, isTest: false };
}
