import { Breaker, type CallVerdict, type Count } from './breaker';

/** A call's report, as the breaker of the channel counts it: who refuses a name is in order itself. */
const OF_CHANNEL: Readonly<Record<CallVerdict, Count>> = {
  success: 'success',
  failure: 'failure',
  model_failure: 'success',
  uncounted: 'uncounted',
};

/** The same report, as the breaker of its model counts it: where the channel fails, nothing is learnt of the model. */
const OF_MODEL: Readonly<Record<CallVerdict, Count>> = {
  success: 'success',
  failure: 'uncounted',
  model_failure: 'failure',
  uncounted: 'uncounted',
};

/**
 * The breaker of a channel, with one for each of its models: a name that the vendor has given up closes the channel to that model
 * alone. Models are those of the configuration.
 */
export class ChannelBreaker {
  readonly #channel: Breaker;
  readonly #models = new Map<string, Breaker>();
  readonly #options: { opens: boolean };

  constructor(options: { opens: boolean }) {
    this.#options = options;
    this.#channel = new Breaker(options);
  }

  /** Whether calls for the model are let through: neither breaker is open. */
  closed(model: string): boolean {
    return this.#channel.closed() && this.#models.get(model)?.closed() !== false;
  }

  /** The whole channel is passed over. */
  open(): boolean {
    return this.#channel.open();
  }

  /** Models that have been called, and whether each is passed over by itself. */
  models(): { model: string; isOpen: boolean }[] {
    return [...this.#models].map(([model, each]) => ({ model, isOpen: each.open() }));
  }

  /** How long until the channel lets a probe through; 0: it does now, or is closed. */
  cooldownMs(): number {
    return this.#channel.cooldownMs();
  }

  /** True while the probe that calls for the model wait for is under way. */
  probing(model: string): boolean {
    return this.#channel.probing() || this.#models.get(model)?.probing() === true;
  }

  /** Runs a call for the model and counts it; `undefined` when a breaker is open, or another probe is under way. */
  async run<T>(model: string, call: () => Promise<T>, judge: (result: T) => CallVerdict): Promise<T | undefined> {
    const ofModel = this.#models.get(model) ?? new Breaker(this.#options);
    this.#models.set(model, ofModel);
    if (!ofModel.closed()) return undefined;
    let verdict: CallVerdict = 'failure';
    const judged = async () => {
      const result = await call();
      verdict = judge(result);
      return result;
    };
    return this.#channel.run(
      () => ofModel.run(judged, () => OF_MODEL[verdict]),
      () => OF_CHANNEL[verdict],
    );
  }

  /** An answer of the channel broke off. */
  recordBreak(): void {
    this.#channel.recordBreak();
  }

  /** Forgets what was counted of a model whose name at the vendor is another now, or none. */
  forget(model: string): void {
    this.#models.delete(model);
  }
}
