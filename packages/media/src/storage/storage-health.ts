import type { ProbedPlace } from './probe-place';
import type { Storage } from './storage';
import { type StorageFaultKind, type StoragePlace, storageFaultIn } from './storage-fault';
import { StorageUnavailableError } from './storage-unavailable-error';

/** A place that takes nothing now. */
export interface StandingFault {
  place: StoragePlace;
  kind: StorageFaultKind;
  /** Since it was first found so. */
  forMs: number;
}

type TriedPlace = Pick<ProbedPlace, 'place' | 'probe'>;

export interface StorageHealthOptions {
  places: readonly TriedPlace[];
  /** A place has begun to fail, fails otherwise, or works again (`undefined`). */
  onChange?(place: StoragePlace, fault: { kind: StorageFaultKind; error: unknown } | undefined): void;
  /** After each look at all places, with what stands then. A rejection is the listener's own to report. */
  onLook?(faults: readonly StandingFault[]): void;
  everyMs?: number;
  everyMsFailing?: number;
  /** A probe that takes longer has failed. */
  withinMs?: number;
}

const EVERY_MS = 30_000;
const EVERY_MS_FAILING = 5000;
/** Longer than the 3 tries of the S3 driver where a connection is refused, shorter than any drain. */
const WITHIN_MS = 10_000;
const PROBE_BYTES = 1024;
/** A disk may take 1 KiB and not an image: after a failed write the probe is as large as that, up to this. */
const MAX_PROBE_BYTES = 16 * 1024 * 1024;

interface PlaceState {
  probed: TriedPlace;
  /** Undefined: it works. */
  fault: { kind: StorageFaultKind; sinceMs: number } | undefined;
  probeBytes: number;
  /** A probe that began before the last of them proves nothing. */
  failedWrites: number;
  running: Promise<void> | undefined;
}

/**
 * Knows whether this process can keep what it makes. Each place is probed every 30 s, every 5 s while it fails, and at once after a
 * write that failed. Whoever begins work asks `fault()`, which costs nothing.
 */
export class StorageHealth {
  readonly #states: readonly PlaceState[];
  readonly #options: StorageHealthOptions;
  #next: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(options: StorageHealthOptions) {
    this.#options = options;
    this.#states = options.places.map((probed) => ({
      probed,
      fault: undefined,
      probeBytes: PROBE_BYTES,
      failedWrites: 0,
      running: undefined,
    }));
  }

  /** The fault that keeps results from being stored; undefined: none is known. */
  fault(): StandingFault | undefined {
    return this.faults()[0];
  }

  faults(): StandingFault[] {
    return this.#states.flatMap(({ probed: { place }, fault }) =>
      fault === undefined ? [] : [{ place, kind: fault.kind, forMs: performance.now() - fault.sinceMs }],
    );
  }

  places(): StoragePlace[] {
    return this.#states.map(({ probed }) => probed.place);
  }

  /** @throws StorageUnavailableError where a fault is known. */
  require(): void {
    const fault = this.fault();
    if (fault) throw new StorageUnavailableError(fault.place, fault.kind);
  }

  /** Probes every place now. Never rejects. */
  async check(): Promise<void> {
    await Promise.all(this.#states.map((state) => this.#probe(state)));
    this.#options.onLook?.(this.faults());
  }

  /** Checks now, and again and again until it is closed. Resolves after the first look. */
  async start(): Promise<void> {
    this.#isRunning = true;
    await this.check();
    this.#schedule();
  }

  close(): void {
    this.#isRunning = false;
    clearTimeout(this.#next);
  }

  /**
   * Work at a place. Where it fails by the place's own fault that is known at once, and looked into: nobody begins more until a
   * probe has passed.
   *
   * @throws StorageUnavailableError in place of such an error; any other as it is.
   */
  use<T>(place: StoragePlace, work: () => Promise<T>, bytes = PROBE_BYTES): Promise<T> {
    return this.#run(place, work, (state, kind, error) => {
      state.failedWrites += 1;
      state.probeBytes = Math.max(state.probeBytes, Math.min(bytes, MAX_PROBE_BYTES));
      this.#set(state, { kind, error });
      void this.#probe(state);
    });
  }

  /**
   * Reads at a place. Where that fails by the place's own fault a probe looks into it, and decides: a single object may be locked or
   * archived, and whoever reads slowly may hold the connections.
   *
   * @throws as `use`.
   */
  look<T>(place: StoragePlace, work: () => Promise<T>): Promise<T> {
    return this.#run(place, work, (state) => void this.#probe(state));
  }

  async #run<T>(
    place: StoragePlace,
    work: () => Promise<T>,
    failed: (state: PlaceState, kind: StorageFaultKind, error: unknown) => void,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const kind = storageFaultIn(error, place);
      if (kind === undefined) throw error;
      const state = this.#states.find(({ probed }) => probed.place === place);
      if (state) failed(state, kind, error);
      throw new StorageUnavailableError(place, kind, { cause: error });
    }
  }

  /** Probes a place. A probe that runs longer than it may has failed, and no second one begins beside it. */
  #probe(state: PlaceState): Promise<void> {
    if (state.running !== undefined) return state.running;
    const { failedWrites } = state;
    const probing = state.probed.probe(state.probeBytes).then(
      () => {
        if (state.failedWrites === failedWrites) this.#set(state, undefined);
      },
      (error: unknown) => this.#set(state, { kind: probeFaultOf(error, state.probed.place), error }),
    );
    const { withinMs = WITHIN_MS } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#set(state, { kind: 'slow', error: new Error('no other probe begins before this one ends') });
        resolve();
      }, withinMs);
      timer.unref();
    });
    void probing.finally(() => {
      clearTimeout(timer);
      state.running = undefined;
    });
    state.running = Promise.race([probing, late]);
    return state.running;
  }

  #set(state: PlaceState, fault: { kind: StorageFaultKind; error: unknown } | undefined): void {
    const { place } = state.probed;
    const before = state.fault;
    state.fault = fault && { kind: fault.kind, sinceMs: before?.sinceMs ?? performance.now() };
    if (fault === undefined) state.probeBytes = PROBE_BYTES;
    if (before?.kind === fault?.kind) return;
    this.#options.onChange?.(place, fault);
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#next);
    if (!this.#isRunning) return;
    const { everyMs = EVERY_MS, everyMsFailing = EVERY_MS_FAILING } = this.#options;
    const run = () => void this.check().then(() => this.#schedule());
    this.#next = setTimeout(run, this.fault() === undefined ? everyMs : everyMsFailing);
    this.#next.unref();
  }
}

/** A probe that fails for a reason of which nothing is known has not given back what it wrote. */
export function probeFaultOf(error: unknown, place: StoragePlace): StorageFaultKind {
  if (error instanceof StorageUnavailableError) return error.kind;
  return storageFaultIn(error, place) ?? 'broken';
}

/** Wraps a storage so that `health` learns of its faults as soon as a call meets one. */
export function watchedStorage(storage: Storage, health: Pick<StorageHealth, 'use' | 'look'>): Storage {
  return {
    ...storage,
    put: (key, body, facts) => health.use('storage', () => storage.put(key, body, facts), facts.bytes),
    // One object that cannot be read does not prove that nothing can be stored: the probe decides.
    open: (key, range) => health.look('storage', () => storage.open(key, range)),
  };
}
