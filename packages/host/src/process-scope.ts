import { AggregatorRegistry, Registry } from 'prom-client';
import type { Logger } from './log/logger';
import type { Scope } from './scope';

const CLOSE_TIMEOUT_MS = 5000;

interface Step {
  name: string;
  run(): Promise<void> | void;
}

/** Holds what a service, or a test in its place, has opened, and ends each part of it. Knows nothing of signals and exit codes. */
export class ProcessScope implements Scope {
  readonly metrics = new Registry();
  readonly checks: Map<string, () => Promise<void>>;
  readonly livenessChecks: Map<string, () => boolean>;
  readonly logger: Logger;
  readonly #name: string | undefined;
  readonly #parts: ProcessScope[] = [];
  readonly #ones: Map<new () => object, object>;
  readonly #drains: Step[] = [];
  readonly #closers: Step[] = [];
  readonly #reloads: { name: string; run: Parameters<Scope['onReload']>[1] }[] = [];
  readonly #claims: ((error: unknown) => boolean)[] = [];

  /** @param of the scope that this one is a part of, under that name. */
  constructor(logger: Logger, of?: { name: string; whole: ProcessScope }) {
    this.logger = logger;
    this.checks = of?.whole.checks ?? new Map();
    this.livenessChecks = of?.whole.livenessChecks ?? new Map();
    this.#ones = of === undefined ? new Map() : of.whole.#ones;
    this.#name = of?.name;
  }

  part(service: string): ProcessScope {
    const part = new ProcessScope(this.logger.child({ service }), { name: service, whole: this });
    part.metrics.setDefaultLabels({ service });
    this.#parts.push(part);
    return part;
  }

  one<T extends object>(Kind: new () => T): T {
    const one = this.#ones.get(Kind) ?? new Kind();
    this.#ones.set(Kind, one);
    return one as T;
  }

  /** Metrics of the whole process, as Prometheus reads them. */
  async readMetrics(): Promise<string> {
    if (this.#parts.length === 0) return this.metrics.metrics();
    const all = await Promise.all([this, ...this.#parts].map(({ metrics }) => metrics.getMetricsAsJSON()));
    return AggregatorRegistry.aggregate(all).metrics();
  }

  addReadinessCheck(name: string, check: () => Promise<void>): void {
    this.checks.set(this.#nameOf(name), check);
  }

  addLivenessCheck(name: string, isAlive: () => boolean): void {
    this.livenessChecks.set(this.#nameOf(name), isAlive);
    this.addReadinessCheck(name, async () => {
      if (!isAlive()) throw new Error('its work has stopped');
    });
  }

  onDrain(name: string, run: Step['run']): void {
    this.#drains.push({ name, run });
  }

  defer(name: string, run: Step['run']): void {
    this.#closers.push({ name, run });
  }

  onStrayError(claim: (error: unknown) => boolean): void {
    this.#claims.push(claim);
  }

  onReload(name: string, run: Parameters<Scope['onReload']>[1]): void {
    this.#reloads.push({ name, run });
  }

  /** True: the error belongs to one piece of work, and the process goes on. */
  claims(error: unknown): boolean {
    try {
      return this.#claims.some((claim) => claim(error)) || this.#parts.some((part) => part.claims(error));
    } catch (claimError) {
      this.logger.error('process.claim_failed', { error: claimError });
      return false;
    }
  }

  reload(): void {
    if (this.#reloads.length + this.#parts.length === 0) this.logger.info('settings.nothing_to_reload');
    for (const part of this.#parts) part.reload();
    for (const { name, run } of this.#reloads) {
      try {
        const fields = run();
        this.logger.info('settings.reloaded', { reason: name, ...fields });
      } catch (error) {
        this.logger.error('settings.refused', { reason: name, error });
      }
    }
  }

  async drain(): Promise<void> {
    await Promise.all([...this.#drains.map((step) => this.#attempt(step)), ...this.#parts.map((part) => part.drain())]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.close()));
    for (const step of this.#closers.toReversed()) {
      if (!(await withinTime(this.#attempt(step), CLOSE_TIMEOUT_MS))) {
        this.logger.warn('process.close_cut', { reason: step.name });
      }
    }
  }

  #nameOf(check: string): string {
    return this.#name === undefined ? check : `${this.#name} ${check}`;
  }

  async #attempt({ name, run }: Step): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.logger.error('process.close_failed', { reason: name, error });
    }
  }
}

/** False when the time ran out first; the work goes on unwatched and ends with the process. */
export async function withinTime(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const inTime = await Promise.race([work.then(() => true as const), limit]);
  clearTimeout(timer);
  return inTime;
}
