import { isDeepStrictEqual } from 'node:util';
import type { MarkPolicy } from '@mediagate/contracts';
import { ConfigError, keepLooking, type Logger, type Scope } from '@mediagate/host';
import type { Signer } from '@mediagate/provenance';
import { isAbsent, openPair, problemOf, type SigningPair, VARIABLES } from './open-signer';
import { measureSigner } from './signing-state';

/** A pair counts once two looks in a row have read it, so a new one does within half a minute. */
const LOOK_MS = 15_000;

type FollowScope = Pick<Scope, 'defer' | 'metrics'> & { logger: Pick<Logger, 'info' | 'warn'> };

export interface FollowSignerOptions {
  /** Reads certificate and key as they are now. Throws ConfigError for what cannot be read. */
  read(): Promise<SigningPair>;
  deployment: MarkPolicy;
  clock(): Date;
  /** Between two looks. */
  everyMs?: number | undefined;
}

/**
 * Opens the operator's certificate and key where there is one, for accounts may want signed results where the deployment does not, and
 * takes up a new pair while the process runs. One that has ended stops no worker.
 *
 * @returns the signer of now: whoever signs asks for it once for each file.
 * @throws ConfigError naming the variable that does not fit at the start. Later such a pair changes nothing.
 */
export async function followSigner(
  scope: FollowScope,
  { everyMs = LOOK_MS, ...options }: FollowSignerOptions,
): Promise<() => Signer | undefined> {
  const { read, deployment, clock } = options;
  const pair = await read();
  const measure = measureSigner(scope.metrics, clock);
  if (deployment.marks !== 'signed' && isAbsent(pair)) return () => undefined;
  const signer = openPair(pair);
  const followed = new FollowedSigner(scope.logger, { read, clock, pair, signer });
  measure(followed);
  await keepLooking(scope, {
    name: 'certificate of results',
    everyMs,
    look: () => followed.look(),
    onAway: (error) => scope.logger.warn('signing.not_followed', { error }),
  });
  return () => followed.signer;
}

type Found = SigningPair | { fault: string };

class FollowedSigner {
  readonly #logger: FollowScope['logger'];
  readonly #read: FollowSignerOptions['read'];
  readonly #clock: FollowSignerOptions['clock'];
  #pair: SigningPair;
  #signer: Signer;
  /** The last look's. */
  #found: Found;
  #refusal: string | undefined;

  constructor(
    logger: FollowScope['logger'],
    { read, clock, pair, signer }: Pick<FollowSignerOptions, 'read' | 'clock'> & { pair: SigningPair; signer: Signer },
  ) {
    this.#logger = logger;
    this.#read = read;
    this.#clock = clock;
    this.#pair = pair;
    this.#found = pair;
    this.#signer = signer;
    this.#report();
  }

  get signer(): Signer {
    return this.#signer;
  }

  /** The pair that is in place now does not fit, and the former one signs on. */
  get isChangeRefused(): boolean {
    return this.#refusal !== undefined;
  }

  /** Half-written files, and a certificate without its key yet, differ from one look to the next, and nothing is made of them. */
  async look(): Promise<void> {
    const found = await this.#read().catch((error: unknown) => ({ fault: faultIn(error) }));
    const isSettled = isDeepStrictEqual(found, this.#found);
    this.#found = found;
    if (isDeepStrictEqual(found, this.#pair)) this.#refusal = undefined;
    else if (isSettled) this.#judge(found);
  }

  #judge(found: Found): void {
    const refusal = 'fault' in found ? found.fault : this.#take(found);
    if (refusal !== undefined && refusal !== this.#refusal)
      this.#logger.warn('signing.change_refused', { detail: `the former certificate and key stay: ${refusal}` });
    this.#refusal = refusal;
  }

  /** Takes a pair up, unless it is another whose signatures would not count while those of the present one do. Returns why not. */
  #take(pair: SigningPair): string | undefined {
    try {
      const [signer, now] = [openPair(pair), this.#clock()];
      const problem = problemOf(signer, now);
      const isOther = pair[VARIABLES.certificate] !== this.#pair[VARIABLES.certificate];
      if (isOther && problem !== undefined && problemOf(this.#signer, now) === undefined)
        return `${VARIABLES.certificate}: ${problem}`;
      this.#signer = signer;
      this.#pair = pair;
      this.#report();
      return undefined;
    } catch (error) {
      return faultIn(error);
    }
  }

  #report(): void {
    const { subject, validTo } = this.#signer;
    const problem = problemOf(this.#signer, this.#clock());
    const detail = `results are signed as ${subject ?? 'nobody'} until ${validTo.toISOString()}`;
    if (problem === undefined) this.#logger.info('results.signed', { detail });
    else this.#logger.warn('results.unsigned', { detail: `${VARIABLES.certificate}: ${problem}` });
  }
}

/** @throws anything that is no fault of the pair, as a database that is away. */
function faultIn(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  throw error;
}
