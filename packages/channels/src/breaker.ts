import { FAULT_TABLE, type Fault, type FaultCode } from '@mediagate/contracts';

/** A call's report on a breaker; a fault is a failure. A call that its own caller ended reports nothing, and is not counted. */
type Count = 'success' | 'uncounted' | FaultCode;

/** A call's report on its channel. A fault `ofModel`: only the model is at fault, by the vendor's word. */
export type CallVerdict = 'success' | 'uncounted' | Pick<Fault, 'code' | 'ofModel'>;

/** @param fault why the call failed; undefined: it was answered. */
export function verdictOn(fault: Fault | undefined): CallVerdict {
  if (fault === undefined || !FAULT_TABLE[fault.code].breaker) return 'success';
  // Whoever asks for another voice is served, and a breaker knows no voices.
  return fault.ofVoice ? 'uncounted' : fault;
}

const FAILED_SHARE = 0.5;
const MIN_CALLS = 5;
const COUNTED_MS = 30_000;
const PAUSE_MS = 15_000;
/** Calls are counted together for so long, and forgotten together. */
const SPAN_MS = 3_000;
/** A call that throws, and an answer that breaks off: nobody knows what the vendor did. */
const BROKEN: FaultCode = 'outcome_unknown';

interface Span {
  beganAt: number;
  calls: number;
  failures: number;
}

/**
 * Keeps a channel, or a model of one, that keeps failing from being tried: it opens when more than half of at least five calls within 30 s have
 * failed, and lets a single call through after 15 s, the probe. A probe that is not counted leaves the breaker to the next one.
 *
 * One that `opens: false` says of counts nothing: a channel of tests fails when a caller wants it to, and must stay there for others.
 *
 * Our own, because libraries count a call only by running it, and know neither calls without a verdict nor late failures.
 */
export class Breaker {
  #spans: Span[] = [];
  /** Undefined while it is closed. */
  #openedAt: number | undefined;
  #openedBy: FaultCode | undefined;
  #isProbed = false;
  readonly #opens: boolean;

  constructor({ opens = true }: { opens?: boolean } = {}) {
    this.#opens = opens;
  }

  /** False while it is open, and while the one call that probes it is under way. */
  closed(): boolean {
    if (this.#openedAt === undefined) return true;
    return !this.#isProbed && performance.now() - this.#openedAt >= PAUSE_MS;
  }

  /** True until a probe has gone well. */
  open(): boolean {
    return this.#openedAt !== undefined;
  }

  /** The fault that opened it, or that the newest probe met; undefined: it is closed. */
  openedBy(): FaultCode | undefined {
    return this.#openedBy;
  }

  /** How long until it lets a probe through; 0: it does now, or is closed. */
  cooldownMs(): number {
    return this.#openedAt === undefined ? 0 : Math.max(0, this.#openedAt + PAUSE_MS - performance.now());
  }

  /** True while the probe is under way: its answer is worth waiting for. */
  probing(): boolean {
    return this.#isProbed;
  }

  /** Runs a call and counts it; `undefined` when it is open, or another probe is under way. What throws is a failure. */
  async run<T>(call: () => Promise<T>, judge: (result: T) => Count): Promise<T | undefined> {
    if (!this.closed()) return undefined;
    const isProbe = this.#openedAt !== undefined;
    if (isProbe) this.#isProbed = true;
    let verdict: Count = BROKEN;
    try {
      const result = await call();
      verdict = judge(result);
      return result;
    } finally {
      if (isProbe) this.#endProbe(verdict);
      else this.#record(verdict);
    }
  }

  /** An answer broke off. Its call counted as a success when the answer began, which two failures outweigh. */
  recordBreak(): void {
    this.#count({ calls: 2, failures: 2 }, BROKEN);
  }

  #record(verdict: Count): void {
    if (verdict === 'uncounted') return;
    if (verdict === 'success') this.#count({ calls: 1, failures: 0 });
    else this.#count({ calls: 1, failures: 1 }, verdict);
  }

  /** Counts before it opened stay: a channel that fails again soon after its probe is passed over again at once. */
  #endProbe(verdict: Count): void {
    this.#isProbed = false;
    if (verdict === 'uncounted') return;
    this.#openedAt = undefined;
    this.#openedBy = undefined;
    this.#record(verdict);
    if (verdict !== 'success') this.#open(verdict);
  }

  #open(fault: FaultCode): void {
    this.#openedAt = performance.now();
    this.#openedBy = fault;
  }

  /** While the breaker is open nothing is counted: what ends now began before it opened. */
  #count({ calls, failures }: Pick<Span, 'calls' | 'failures'>, fault?: FaultCode): void {
    if (!this.#opens || this.#openedAt !== undefined) return;
    const span = this.#currentSpan();
    span.calls += calls;
    span.failures += failures;
    const sum = (of: 'calls' | 'failures') => this.#spans.reduce((total, each) => total + each[of], 0);
    const opens = sum('calls') >= MIN_CALLS && sum('failures') > sum('calls') * FAILED_SHARE;
    if (fault !== undefined && opens) this.#open(fault);
  }

  #currentSpan(): Span {
    const now = performance.now();
    while (this.#spans[0] && now - this.#spans[0].beganAt >= COUNTED_MS) this.#spans.shift();
    const last = this.#spans.at(-1);
    if (last !== undefined && now - last.beganAt < SPAN_MS) return last;
    const span = { beganAt: now, calls: 0, failures: 0 };
    this.#spans.push(span);
    return span;
  }
}

/** A call's report, as the breaker of the channel counts it: who refuses a name is in order itself. */
function ofChannel(verdict: CallVerdict): Count {
  if (typeof verdict === 'string') return verdict;
  return verdict.ofModel ? 'success' : verdict.code;
}

/** The same report, as the breaker of its model counts it: where the channel fails, nothing is learnt of the model. */
function ofItsModel(verdict: CallVerdict): Count {
  if (typeof verdict === 'string') return verdict;
  return verdict.ofModel ? verdict.code : 'uncounted';
}

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

  /** The fault that it is passed over for; undefined: it is not. */
  openedBy(): FaultCode | undefined {
    return this.#channel.openedBy();
  }

  /** Models that have been called, and the fault that each is passed over for by itself. */
  models(): { model: string; openedBy: FaultCode | undefined }[] {
    return [...this.#models].map(([model, each]) => ({ model, openedBy: each.openedBy() }));
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
    let verdict: CallVerdict = { code: BROKEN };
    const judged = async () => {
      const result = await call();
      verdict = judge(result);
      return result;
    };
    return this.#channel.run(
      () => ofModel.run(judged, () => ofItsModel(verdict)),
      () => ofChannel(verdict),
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
