import { setTimeout as delay } from 'node:timers/promises';
import { networksOf } from '../http/network';
import { openPace, type PaceOptions, Turns, type TurnsOptions } from './turns';

/** Where an attempt to sign in comes from, and whom it is for. */
export interface Origin {
  address: string;
  /** The e-mail address that was typed; undefined: none, a link was followed. */
  user: string | undefined;
  /** The browser in which a user of that address has signed in before, and can prove it; undefined for a stranger. */
  device: { id: string; userId: string } | undefined;
}

/**
 * Slows guessing down, and never stops who is right: a browser in which a user has signed in before goes by a pace of its own for
 * that user, which strangers cannot use up. Strangers go by the paces of their address and of the networks around it, there again for
 * the address they try. Wherever they come from, attempts at one address take turns, and so do all of them for the work of looking at
 * passwords: networks that came seldom go first. Known browsers take turns for that work among themselves, users that came seldom first.
 */
export interface SignInLimit {
  /** Resolves when the attempt may be made, or says in how many seconds to try again. */
  take(origin: Origin): Promise<Attempt | Refused>;
  /** For who has shown the token of an invitation: beside others who were invited, not beside strangers. */
  takeInvited(invited: { address: string; userId: string }): Promise<Attempt | Refused>;
}

export interface Attempt {
  /** Only the password of this user may be compared: the browser is known to be theirs. Undefined: those of all with the address. */
  knownUserId: string | undefined;
  /**
   * The attempt was no guess, so it does not count, unless the browser is known: there the pace also bounds the user's own work. The
   * attempts before it still count: who has one user of their own may be guessing another's password.
   */
  succeeded(): void;
}

interface Refused {
  retryAfterSeconds: number;
}

/** The takes from several paces: how long to wait for them, and how to give them back. */
interface Paced {
  waitMs: number;
  giveBack(): void;
}

export interface SignInLimitOptions {
  /** Attempts at one user, from one browser that is known to be theirs. */
  device?: PaceOptions;
  address?: PaceOptions;
  /** Attempts from a /48 or /24. */
  network?: PaceOptions;
  /** Attempts from a /32 of IPv6. */
  provider?: PaceOptions;
  /** Attempts at one user, from one /48 or /24. */
  user?: PaceOptions;
  /** Attempts at one user, from everywhere. */
  userTurns?: TurnsOptions;
  strangers?: TurnsOptions;
  known?: TurnsOptions;
  invited?: TurnsOptions;
  now?(): number;
  wait?(ms: number): Promise<void>;
}

const DEVICE: PaceOptions = { burst: 10, everyMs: 60_000, maxWaitMs: 0 };
const ADDRESS: PaceOptions = { burst: 5, everyMs: 5_000, maxWaitMs: 20_000 };
const NETWORK: PaceOptions = { burst: 12, everyMs: 2_000, maxWaitMs: 20_000 };
const PROVIDER: PaceOptions = { burst: 24, everyMs: 1_000, maxWaitMs: 20_000 };
const USER: PaceOptions = { burst: 10, everyMs: 20_000, maxWaitMs: 0 };
const USER_TURNS: TurnsOptions = { burst: 10, everyMs: 5_000, maxWaitMs: 15_000, visitMs: 3_600_000 };
/** An attempt compares four passwords, of some 0.2 s of a core each: two cores at most are kept busy by strangers, and not for long by a burst. */
const STRANGERS: TurnsOptions = { burst: 12, everyMs: 400, maxWaitMs: 10_000, visitMs: 60_000 };
/** One password is compared, and another kept where it is changed: a core at most, however many browsers users are known in. */
const KNOWN: TurnsOptions = { burst: 12, everyMs: 400, maxWaitMs: 10_000, visitMs: 60_000 };
/** One password is kept. */
const INVITED: TurnsOptions = { burst: 12, everyMs: 400, maxWaitMs: 10_000, visitMs: 60_000 };

/** Attempts are counted before the password is looked at, so that many at once gain nothing. */
export function createSignInLimit(options: SignInLimitOptions = {}): SignInLimit {
  const paces = createPaces(options);
  const { devices, invited } = paces;
  return {
    async take(origin) {
      return (await takeKnown(origin, paces)) ?? takeStranger(origin, paces);
    },
    async takeInvited({ address, userId }) {
      const paced = takeAll([{ by: devices, key: `invited ${userId}` }]);
      if ('retryAfterSeconds' in paced) return paced;
      if (await invited.take('all', networksOf(address))) return { knownUserId: userId, succeeded: paced.giveBack };
      return refuseOf(paced, invited.maxWaitMs);
    },
  };
}

type Paces = ReturnType<typeof createPaces>;
type BoundedPace = Paces['devices'];

function createPaces({ wait = (ms) => delay(ms), now = () => performance.now(), ...options }: SignInLimitOptions) {
  const pace = (each: PaceOptions) => ({ pace: openPace(each, now), maxWaitMs: each.maxWaitMs });
  const turns = (each: TurnsOptions) => new Turns({ now, wait, ...each });
  return {
    wait,
    devices: pace(options.device ?? DEVICE),
    /** The narrowest network first. */
    networks: [options.address ?? ADDRESS, options.network ?? NETWORK, options.provider ?? PROVIDER].map(pace),
    users: pace(options.user ?? USER),
    userTurns: turns(options.userTurns ?? USER_TURNS),
    strangers: turns(options.strangers ?? STRANGERS),
    known: turns(options.known ?? KNOWN),
    invited: turns(options.invited ?? INVITED),
  };
}

/** Undefined: no browser is known, or its pace is used up: it goes on as a stranger's. */
async function takeKnown(
  { address, device }: Origin,
  { devices, known }: Paces,
): Promise<Attempt | Refused | undefined> {
  if (device === undefined) return undefined;
  const { id, userId } = device;
  const paced = takeAll([{ by: devices, key: `${userId} ${id}` }]);
  if ('retryAfterSeconds' in paced) return undefined;
  const hasTurn = await known.take('all', [userId, ...networksOf(address)]);
  return hasTurn ? { knownUserId: userId, succeeded: () => {} } : refuseOf(paced, known.maxWaitMs);
}

async function takeStranger({ address, user }: Origin, paces: Paces): ReturnType<SignInLimit['take']> {
  const networks = networksOf(address);
  const [network = ''] = networks.slice(-2);
  const paced = takeAll([
    ...networks.toReversed().map((key, level) => ({ by: paces.networks[level], key })),
    ...(user === undefined ? [] : [{ by: paces.users, key: `${user} ${network}` }]),
  ]);
  if ('retryAfterSeconds' in paced) return paced;
  if (paced.waitMs > 0) await paces.wait(paced.waitMs);
  const { userTurns, strangers } = paces;
  if (user !== undefined && !(await userTurns.take(user, networks))) return refuseOf(paced, userTurns.maxWaitMs);
  const giveBack = () => {
    paced.giveBack();
    if (user !== undefined) userTurns.giveBack(user, networks);
  };
  // The work of looking at passwords is never given back: it was as much for one that was right.
  if (await strangers.take('all', networks)) return { knownUserId: undefined, succeeded: giveBack };
  return refuseOf({ giveBack }, strangers.maxWaitMs);
}

/** Counts by each pace, or by none. */
function takeAll(counted: readonly { by: BoundedPace | undefined; key: string }[]): Paced | Refused {
  const taken: (() => void)[] = [];
  const giveBack = () => {
    for (const each of taken) each();
  };
  let longestMs = 0;
  for (const { by, key } of counted) {
    if (by === undefined) continue;
    const { pace, maxWaitMs } = by;
    const waitMs = pace.waitMs(key);
    if (waitMs > maxWaitMs) return refuseOf({ giveBack }, waitMs - maxWaitMs);
    pace.count(key);
    taken.push(() => pace.count(key, -1));
    longestMs = Math.max(longestMs, waitMs);
  }
  return { waitMs: longestMs, giveBack };
}

/** An attempt that is not made does not count. */
function refuseOf({ giveBack }: Pick<Paced, 'giveBack'>, ms: number): Refused {
  giveBack();
  return { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) };
}
