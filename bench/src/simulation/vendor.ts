import type { VirtualTime } from './virtual-time';

export interface VendorOptions {
  /** Time from the call to the image. */
  latencyMs: number;
  /** Calls that it takes a second once it takes any; undefined: all. */
  perSecond?: number;
  /** It refuses every call meanwhile, by its own clock. */
  throttles?: Span;
  /** It answers none of the calls that come meanwhile before the end of the time. */
  hangs?: Span;
}

export interface Span {
  fromMs: number;
  toMs: number;
}

interface Call {
  atMs: number;
  accepted: boolean;
}

/** Calls beyond its pace that it takes together. */
const BURST_SECONDS = 1;

/** A vendor that takes so many calls a second, by a bucket that fills as time passes, and may refuse all, or hang, for a while. */
export class Vendor {
  readonly calls: Call[] = [];
  readonly #time: VirtualTime;
  readonly #options: VendorOptions;
  #bucket: number;
  #filledAtMs = 0;

  constructor(time: VirtualTime, options: VendorOptions) {
    this.#time = time;
    this.#options = options;
    this.#bucket = (options.perSecond ?? 0) * BURST_SECONDS;
  }

  /** False: too many calls. True: after what the image takes. */
  call(): Promise<boolean> {
    const atMs = this.#time.passedMs;
    const accepted = !within(this.#options.throttles, atMs) && this.#admit(atMs);
    this.calls.push({ atMs, accepted });
    const { latencyMs, hangs } = this.#options;
    const stillMs = hangs !== undefined && within(hangs, atMs) ? hangs.toMs - atMs : 0;
    return new Promise((resolve) => {
      this.#time.after(accepted ? stillMs + latencyMs : 0, () => resolve(accepted));
    });
  }

  #admit(atMs: number): boolean {
    const { perSecond } = this.#options;
    if (perSecond === undefined) return true;
    this.#bucket = Math.min(perSecond * BURST_SECONDS, this.#bucket + ((atMs - this.#filledAtMs) / 1000) * perSecond);
    this.#filledAtMs = atMs;
    if (this.#bucket < 1) return false;
    this.#bucket -= 1;
    return true;
  }
}

function within(span: Span | undefined, atMs: number): boolean {
  return span !== undefined && atMs >= span.fromMs && atMs < span.toMs;
}
