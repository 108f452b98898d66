import { isDeepStrictEqual } from 'node:util';
import type { MarkPolicy } from '@mediagate/contracts';
import { ConfigError, keepLooking, type Logger, type Scope } from '@mediagate/host';
import type { Signer } from '@mediagate/provenance';
import {
  isAbsent,
  openPair,
  problemOf,
  type ReadPem,
  readPair,
  type SigningPair,
  type SigningPems,
  VARIABLES,
} from './open-signer';
import { measureSigner } from './signing-state';

/** A change counts once two looks in a row have read it, so a new pair does within half a minute. */
const LOOK_MS = 15_000;

type FollowScope = Pick<Scope, 'defer' | 'metrics'> & { logger: Pick<Logger, 'info' | 'warn'> };

export interface FollowSignerOptions {
  /** Reads the PEM of a variable as it is now. Throws ConfigError for what cannot be read. */
  read: ReadPem;
  deployment: MarkPolicy;
  clock(): Date;
  /** Between two looks. */
  everyMs?: number | undefined;
}

/**
 * Opens the operator's certificate and key where there is one, for accounts may want signed results where the deployment does not, and
 * takes up a new pair, or new lists of revoked certificates, while the process runs. One that has ended stops no worker.
 *
 * @returns the signer of now: whoever signs asks for it once for each file.
 * @throws ConfigError naming the variable that does not fit at the start. Later such a pair changes nothing.
 */
export async function followSigner(
  scope: FollowScope,
  { everyMs = LOOK_MS, ...options }: FollowSignerOptions,
): Promise<() => Signer | undefined> {
  const { read, deployment, clock } = options;
  const pair = await readPair(read);
  const measure = measureSigner(scope.metrics, clock);
  if (deployment.marks !== 'signed' && isAbsent(pair)) return () => undefined;
  const lists = await read(VARIABLES.revocations);
  const followed = new FollowedSigner(scope.logger, { read, clock, pair, lists });
  measure(followed);
  await keepLooking(scope, {
    name: 'certificate of results',
    everyMs,
    look: () => followed.look(),
    onAway: (error) => scope.logger.warn('signing.not_followed', { error }),
  });
  return () => followed.signer;
}

class FollowedSigner {
  readonly #logger: FollowScope['logger'];
  readonly #clock: FollowSignerOptions['clock'];
  readonly #pair: Followed<SigningPair>;
  readonly #lists: Followed<string | undefined>;
  readonly #openPair = opensOnce();
  readonly #openLists = opensOnce();
  #signer: Signer;

  constructor(
    logger: FollowScope['logger'],
    { read, clock, pair, lists }: Pick<FollowSignerOptions, 'read' | 'clock'> & SigningPems,
  ) {
    const refuse = (detail: string) => logger.warn('signing.change_refused', { detail });
    this.#logger = logger;
    this.#clock = clock;
    this.#signer = openPair({ pair, lists });
    this.#pair = new Followed(pair, () => readPair(read), {
      take: (value) => this.#takePair(value),
      onRefused: (refusal) => refuse(`the former certificate and key stay: ${refusal}`),
    });
    this.#lists = new Followed(lists, () => read(VARIABLES.revocations), {
      take: (value) => this.#takeLists(value),
      onRefused: (refusal) => refuse(`the former lists of revoked certificates stay: ${refusal}`),
    });
    this.#report();
  }

  get signer(): Signer {
    return this.#signer;
  }

  /** A pair or lists that are in place now do not fit, and the former ones count on. */
  get isChangeRefused(): boolean {
    return this.#pair.isRefused || this.#lists.isRefused;
  }

  /** New lists count whatever becomes of a new pair: they may name the present certificate. */
  async look(): Promise<void> {
    const before = this.#signer;
    try {
      await this.#lists.look();
      await this.#pair.look();
    } finally {
      if (this.#signer !== before) this.#report();
    }
  }

  #takeLists(lists: string | undefined): string | undefined {
    const signer = this.#openLists({ pair: this.#pair.current, lists });
    if (typeof signer === 'string') return signer;
    this.#signer = signer;
    return undefined;
  }

  /** Takes a pair up, unless it is another whose signatures would not count while those of the present one do. Returns why not. */
  #takePair(pair: SigningPair): string | undefined {
    const [signer, now] = [this.#openPair({ pair, lists: this.#lists.current }), this.#clock()];
    if (typeof signer === 'string') return signer;
    const problem = problemOf(signer, now);
    const isOther = pair[VARIABLES.certificate] !== this.#pair.current[VARIABLES.certificate];
    if (isOther && problem !== undefined && problemOf(this.#signer, now) === undefined)
      return `${VARIABLES.certificate}: ${problem}`;
    this.#signer = signer;
    return undefined;
  }

  #report(): void {
    const { subject, validTo } = this.#signer;
    const problem = problemOf(this.#signer, this.#clock());
    const detail = `results are signed as ${subject ?? 'nobody'} until ${validTo.toISOString()}`;
    if (problem === undefined) this.#logger.info('results.signed', { detail });
    else this.#logger.warn('results.unsigned', { detail: `${VARIABLES.certificate}: ${problem}` });
  }
}

interface Taking<Value> {
  /** Returns why the value is refused. */
  take(value: Value): string | undefined;
  /** Called once for each reason. */
  onRefused(refusal: string): void;
}

/** A value that is read at each look. Half-written files differ from one look to the next, and nothing is made of them. */
class Followed<Value> {
  readonly #read: () => Promise<Value>;
  readonly #taking: Taking<Value>;
  #current: Value;
  #found: { value: Value } | { fault: string };
  #refusal: string | undefined;

  constructor(current: Value, read: () => Promise<Value>, taking: Taking<Value>) {
    this.#current = current;
    this.#found = { value: current };
    this.#read = read;
    this.#taking = taking;
  }

  get current(): Value {
    return this.#current;
  }

  get isRefused(): boolean {
    return this.#refusal !== undefined;
  }

  async look(): Promise<void> {
    const found = await this.#read().then(
      (value) => ({ value }),
      (error: unknown) => ({ fault: faultIn(error) }),
    );
    const isSettled = isDeepStrictEqual(found, this.#found);
    this.#found = found;
    if ('fault' in found) {
      if (isSettled) this.#settle(found.fault);
    } else if (isDeepStrictEqual(found.value, this.#current)) this.#settle(undefined);
    else if (isSettled) {
      const refusal = this.#taking.take(found.value);
      if (refusal === undefined) this.#current = found.value;
      this.#settle(refusal);
    }
  }

  #settle(refusal: string | undefined): void {
    if (refusal !== undefined && refusal !== this.#refusal) this.#taking.onRefused(refusal);
    this.#refusal = refusal;
  }
}

/** Opens what is refused once, however often it is judged. A fault is returned as a text. */
function opensOnce(): (pems: SigningPems) => Signer | string {
  let last: { pems: SigningPems; opened: Signer | string } | undefined;
  return (pems) => {
    if (last === undefined || !isDeepStrictEqual(pems, last.pems)) last = { pems, opened: openedOrFault(pems) };
    return last.opened;
  };
}

function openedOrFault(pems: SigningPems): Signer | string {
  try {
    return openPair(pems);
  } catch (error) {
    return faultIn(error);
  }
}

/** @throws anything that is no fault of what was read, as a database that is away. */
function faultIn(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  throw error;
}
