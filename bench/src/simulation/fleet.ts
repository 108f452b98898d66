import { createFinisher, type FinishRequest } from '@mediagate/billing';
import { ChannelPaces, ChannelSlots, createChannelChooser, verdictOn } from '@mediagate/channels';
import type { Fault, TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';
import { createStepWrites, createTaskClaimer } from '@mediagate/tasks';
import { turnAway, waitForChannel } from '../../../packages/worker-runtime/src/conclude/continue-task';
import type { Run } from '../../../packages/worker-runtime/src/run-state';
import { StepGate } from '../../../packages/worker-runtime/src/step-gate';
import { awaitChannel } from '../../../packages/worker-runtime/src/steps/await-channel';
import { beginAttempt } from '../../../packages/worker-runtime/src/steps/begin-attempt';
import type { WorkerDeps } from '../../../packages/worker-runtime/src/worker-deps';
import type { ModelQueue } from './model-queue';
import type { Vendor } from './vendor';
import type { VirtualTime } from './virtual-time';

export interface FleetOptions {
  time: VirtualTime;
  database: Database;
  queue: ModelQueue;
  vendor: Vendor;
  channel: Channel;
  replicas: number;
  /** Slots of each replica. */
  concurrency: number;
  onBegun(taskId: TaskId): void;
  onEnded(taskId: TaskId): void;
}

/** Longer than any simulated call, so that no lease is renewed. */
const LEASE_MS = 3_600_000;
const LOOK_MS = 1000;
const THROTTLED: Fault = { code: 'rate_limited', detail: '429' };
/** An image of a million nano-units. */
const DONE: FinishRequest['outcome'] = { kind: 'completed', costNano: 1_000_000n, result: { images: [] } };

interface Replica {
  deps: WorkerDeps;
  free: number;
}

/**
 * Worker processes: each has its own breakers, paces, and knowledge of who waits, as a process has, and takes the product's own steps
 * from the claim to the intent and after a refusal. What lies between, the vendor's call, is modelled.
 */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #replicas: Replica[];
  readonly #finish: ReturnType<typeof createFinisher>;
  #next = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#finish = createFinisher(options.database);
    const writes = createStepWrites(options.database);
    const claim = createTaskClaimer(options.database, LEASE_MS);
    this.#replicas = Array.from({ length: options.replicas }, (_, index) =>
      openReplica(options, { index, writes, claim }),
    );
  }

  /** Every free slot takes a job, in turns of the replicas. */
  takeJobs(): void {
    const { queue } = this.#options;
    for (let replica = this.#nextFree(); replica !== undefined; replica = this.#nextFree()) {
      const job = queue.take();
      if (job === undefined) return;
      replica.free -= 1;
      const taker = replica;
      void this.#step(job.taskId, taker.deps).finally(() => {
        taker.free += 1;
        queue.done(job);
      });
    }
  }

  #nextFree(): Replica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried += 1) {
      const replica = this.#replicas[this.#next % this.#replicas.length];
      this.#next += 1;
      if (replica !== undefined && replica.free > 0) return replica;
    }
    return undefined;
  }

  async #step(taskId: TaskId, deps: WorkerDeps): Promise<void> {
    const claim = await deps.claim(taskId);
    if (claim.kind !== 'claimed') return;
    const { task } = claim;
    const begun = {
      task,
      entry: ENTRY,
      stillLeased: () => true,
      answers: {},
      onEnd: () => undefined,
    } as unknown as Run;
    const waited = await awaitChannel(begun, deps);
    const run = waited.outcome ? waited : await beginAttempt(waited, deps);
    const { outcome } = run;
    if (outcome?.kind === 'no_channel') await waitForChannel(run, outcome, deps);
    else if (run.current) await this.#call(run, deps);
  }

  async #call(run: Run, deps: WorkerDeps): Promise<void> {
    const { current, task } = run;
    const { vendor, onBegun, onEnded } = this.#options;
    if (!current) throw new Error('a call without an attempt');
    const accepted = await deps.channels.breaker(current.channel.id).run(
      () => vendor.call(),
      (isAccepted) => verdictOn(isAccepted ? undefined : THROTTLED),
    );
    if (!accepted) {
      await turnAway(run, { kind: 'turned_away', fault: THROTTLED, requestIds: [] }, deps);
      return;
    }
    onBegun(task.id);
    const attempt = { id: current.id, state: 'succeeded' } as const;
    const { id: taskId, accountId, fence } = task;
    await this.#finish({ taskId, accountId, fence, outcome: DONE, attempt });
    onEnded(task.id);
    await deps.channelSlots.freed(current.channel);
  }
}

/** An entry of the catalogue without files, whose callers do not wait for the answer. */
const ENTRY = { madeBy: () => undefined, media: () => [], synchronous: false } as unknown as Run['entry'];
const ADAPTER = { protocol: 'openai-images', afterLostAnswer: 'never' };
const LOGGER = { warn: () => undefined, error: () => undefined, info: () => undefined };

function openReplica(
  { time, database, queue, channel, concurrency }: FleetOptions,
  { index, ...shared }: Pick<WorkerDeps, 'writes' | 'claim'> & { index: number },
): Replica {
  const paces = new ChannelPaces(database);
  const channels = createChannelChooser([channel]);
  const channelSlots = new ChannelSlots({ database, enqueueTask: (task) => queue.enqueueTask(task) });
  async function look(): Promise<void> {
    const [row] = await database.followChannels(`replica-${index}`, channels.openBreakers());
    paces.learn(row?.pacedChannels ?? []);
    channelSlots.learn(row?.isSlotAwaited ?? false);
  }
  time.every(LOOK_MS, () => void look(), time.random() * LOOK_MS);
  const adapters = new Map([[channel.protocol, ADAPTER]]);
  const gate = new StepGate();
  const deps = { ...shared, channels, paces, channelSlots, adapters, queue, gate, inFlight: new Map(), logger: LOGGER };
  return { deps: deps as unknown as WorkerDeps, free: concurrency };
}
