import type { HandedTask, WaitingWorker, WorkerOffer } from './handed-task';
import type { ReceivedStream } from './received-stream';
import type { Handed } from './wire';

/** A worker's connection that has carried an answer, and waits for the next task. */
export interface IdleConnection {
  readonly openedAt: number;
  /** When anything came from it last. */
  readonly heardAt: number;
  /** By the worker's clock: when it last said so. */
  readonly workerTime: number;
  /** It is closed, or its worker takes no more tasks. */
  readonly isLeaving: boolean;
  hand(stream: ReceivedStream, handed: Omit<Handed, 'workerTime'>): void;
  end(): void;
}

interface IdleWorkersOptions {
  max: number;
  /** A connection is closed after so long, so that later tasks go by the queue to whichever worker takes them first. */
  maxAgeMs: number;
  /** One that has been silent for longer may be frozen. */
  heardWithinMs: number;
}

interface Taken {
  connection: IdleConnection;
  /** As it was taken, so before anything was booked for it. */
  workerTime: number;
}

/** The connections of workers that wait for a task; the one that came last is taken first. */
export class IdleWorkers {
  readonly #options: IdleWorkersOptions;
  readonly #offers = new Map<IdleConnection, WorkerOffer>();
  readonly #taken = new WeakMap<WaitingWorker, Taken>();

  constructor(options: IdleWorkersOptions) {
    this.#options = options;
  }

  add(connection: IdleConnection, offer: WorkerOffer): void {
    this.#endOld();
    const isWanted = !connection.isLeaving && !this.#isOld(connection) && this.#offers.size < this.#options.max;
    if (isWanted) this.#offers.set(connection, offer);
    else connection.end();
  }

  /** False: it does not wait for a task, or somebody has taken it. */
  remove(connection: IdleConnection): boolean {
    return this.#offers.delete(connection);
  }

  /** Undefined: none offers to do a task of the model. */
  take(model: string): WaitingWorker | undefined {
    this.#endOld();
    const now = performance.now();
    const fit = [...this.#offers].reverse().find(([connection, { channels }]) => {
      return Object.hasOwn(channels, model) && now - connection.heardAt < this.#options.heardWithinMs;
    });
    return fit && this.#waiting(model, ...fit);
  }

  /** The task is booked for the worker: it begins. */
  hand(worker: WaitingWorker, stream: ReceivedStream, task: HandedTask): void {
    const taken = this.#taken.get(worker);
    taken?.connection.hand(stream, { task, claimAskedAt: taken.workerTime });
  }

  #waiting(model: string, connection: IdleConnection, offer: WorkerOffer): WaitingWorker | undefined {
    const channel = offer.channels[model];
    if (channel === undefined) return undefined;
    this.#offers.delete(connection);
    const worker = { ...channel, leaseMs: offer.leaseMs, leave: () => this.add(connection, offer) };
    this.#taken.set(worker, { connection, workerTime: connection.workerTime });
    return worker;
  }

  #endOld(): void {
    // One that is left, or has brought another answer, comes after younger ones.
    for (const connection of this.#offers.keys()) {
      if (!this.#isOld(connection)) continue;
      this.#offers.delete(connection);
      connection.end();
    }
  }

  #isOld({ openedAt }: IdleConnection): boolean {
    return performance.now() - openedAt > this.#options.maxAgeMs;
  }
}
