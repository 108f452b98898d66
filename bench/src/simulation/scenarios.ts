import { percentile } from '../measure/statistics';
import { jainIndex, mostOvertaken } from './fairness';
import { type SimulatedAccount, type SimulatedTask, World, type WorldOptions } from './world';

/** The size of a fleet, and of its load. */
export interface Scale {
  replicas: number;
  /** Tasks a second of all accounts together. */
  perSecond: number;
  /** Slots of the channel, where it has a limit. */
  slots: number;
  /** How long the vendor is not well, and how long it is watched afterwards; how long each phase of a flood is. */
  outageMs: number;
  watchedMs: number;
  phaseMs: number;
}

/** Ten million tasks a day are 116 a second. */
export const DAY: Scale = {
  replicas: 100,
  perSecond: 116,
  slots: 464,
  outageMs: 60_000,
  watchedMs: 20_000,
  phaseMs: 20_000,
};

export interface Place {
  databaseUrl: string;
  accounts: readonly SimulatedAccount[];
}

const LATENCY_MS = 4000;
const SECOND_MS = 1000;
/** The time that passes until the vendor's pace is known. */
const LEARNED_MS = 20_000;
/** A channel goes at its full rate from this share on: of what it takes a second, or of its slots. */
const FULL_SHARE = 0.9;
const SUSTAINED_SECONDS = 3;
const BACKLOG_ACCOUNTS = 10;

export interface Flood {
  aloneP99Ms: number;
  besideP99Ms: number;
  /** Jain's index of the tasks begun, over every account but the one that floods. */
  jain: number;
  overtaken: number;
  /** Statements a task that has ended, with those of looks and dispatcher. */
  statements: number;
  tasks: number;
}

/**
 * Every account but the first submits at its pace, two thirds of what the workers carry; then the first comes at once with what all of
 * them carry in one phase.
 */
export function flood(place: Place, scale: Scale): Promise<Flood> {
  const { replicas, perSecond, phaseMs } = scale;
  const carried = 1.5 * perSecond;
  const concurrency = Math.ceil((carried * LATENCY_MS) / SECOND_MS / replicas);
  return World.run({ ...place, replicas, concurrency, vendor: { latencyMs: LATENCY_MS } }, async (world) => {
    const others = place.accounts.length - 1;
    for (let account = 1; account <= others; account += 1) {
      world.every((others * SECOND_MS) / perSecond, () => world.submit(account));
    }
    await world.pass(phaseMs);
    const floodedAt = world.passedMs;
    world.submit(0, Math.round((carried * phaseMs) / SECOND_MS));
    await world.pass(phaseMs);
    const all = [...world.tasks.values()];
    const ofOthers = all.filter(({ account }) => account > 0);
    const before = ofOthers.filter(({ submittedAt }) => submittedAt < floodedAt - 2 * LATENCY_MS);
    const beside = ofOthers.filter(
      ({ submittedAt }) => submittedAt >= floodedAt && submittedAt < world.passedMs - 2 * LATENCY_MS,
    );
    return {
      aloneP99Ms: p99Wait(before, world.passedMs),
      besideP99Ms: p99Wait(beside, world.passedMs),
      jain: jainIndex(begunByAccount(beside, place.accounts.length).slice(1)),
      overtaken: overtakenAtMost(all, place.accounts.length),
      statements: world.statements / all.filter(({ endedAt }) => endedAt !== undefined).length,
      tasks: all.length,
    };
  });
}

export interface Shares {
  jain: number;
  overtaken: number;
  begunPerSecond: number;
}

/** Accounts whose backlogs differ threefold wait for one full channel: what each has begun while all of them waited. */
export function shares(place: Place, scale: Scale): Promise<Shares> {
  const accounts = Math.min(BACKLOG_ACCOUNTS, place.accounts.length);
  const fairShare = (takenPerSecond(scale) * scale.phaseMs) / SECOND_MS / accounts;
  return World.run({ ...place, ...limited(scale), vendor: { latencyMs: LATENCY_MS } }, async (world) => {
    for (let account = 0; account < accounts; account += 1) {
      world.submit(account, Math.ceil(fairShare * (1.2 + (account / accounts) * 2.7)));
    }
    await world.pass(scale.phaseMs);
    const all = [...world.tasks.values()];
    const begun = begunByAccount(all, accounts);
    return {
      jain: jainIndex(begun),
      overtaken: overtakenAtMost(all, accounts),
      begunPerSecond: (begun.reduce((sum, count) => sum + count, 0) * SECOND_MS) / scale.phaseMs,
    };
  });
}

export interface Recovery {
  /** Calls that reached the vendor while it was not well. */
  calls: number;
  /** Time from then until the channel goes at its full rate, or the limit. */
  recoveryMs: number;
  /** Refused calls for each that the vendor took afterwards. */
  refusedShare: number;
  /** Tasks begun in each second afterwards. */
  inSeconds: number[];
}

/** The vendor refuses all for a while, and then takes as many a second as the channel's slots bring, with a backlog waiting. */
export function throttled(place: Place, scale: Scale): Promise<Recovery> {
  const perSecond = takenPerSecond(scale);
  const throttles = { fromMs: LEARNED_MS, toMs: LEARNED_MS + scale.outageMs };
  const vendor = { latencyMs: LATENCY_MS, perSecond, throttles };
  return World.run({ ...place, ...limited(scale), vendor }, async (world) => {
    submitBacklog(world, scale);
    await world.pass(throttles.toMs + scale.watchedMs);
    const after = world.vendor.calls.filter(({ atMs }) => atMs >= throttles.toMs);
    const taken = after.filter(({ accepted }) => accepted);
    const inSeconds = countPerSecond(
      taken.map(({ atMs }) => atMs - throttles.toMs),
      scale,
    );
    return {
      calls: world.vendor.calls.filter(({ atMs }) => atMs >= throttles.fromMs && atMs < throttles.toMs).length,
      recoveryMs: fullRateAfter(inSeconds, perSecond * FULL_SHARE),
      refusedShare: (after.length - taken.length) / taken.length,
      inSeconds,
    };
  });
}

/** Every slot of the channel is taken by calls that hang; then all of them end at once, with a backlog waiting. */
export function fullChannelFrees(place: Place, scale: Scale): Promise<Recovery> {
  const hangs = { fromMs: 0, toMs: scale.outageMs };
  return World.run({ ...place, ...limited(scale), vendor: { latencyMs: LATENCY_MS, hangs } }, async (world) => {
    submitBacklog(world, scale);
    const freedAt = hangs.toMs + LATENCY_MS;
    await world.pass(freedAt + scale.watchedMs);
    const calls = world.vendor.calls.map(({ atMs }) => atMs);
    const inSeconds = countPerSecond(
      calls.filter((atMs) => atMs >= freedAt).map((atMs) => atMs - freedAt),
      scale,
    );
    return {
      calls: calls.filter((atMs) => atMs < freedAt).length,
      recoveryMs: slotsFullAfter(inSeconds, scale.slots * FULL_SHARE),
      refusedShare: 0,
      inSeconds,
    };
  });
}

/** The workers have twice as many slots as the channel. */
function limited({ replicas, slots }: Scale): Pick<WorldOptions, 'replicas' | 'concurrency' | 'maxConcurrency'> {
  return { replicas, concurrency: Math.ceil((2 * slots) / replicas), maxConcurrency: slots };
}

function takenPerSecond({ slots }: Scale): number {
  return slots / (LATENCY_MS / SECOND_MS);
}

/** More than the channel does while it is watched. */
function submitBacklog(world: World, scale: Scale): void {
  const seconds = (LEARNED_MS + scale.watchedMs) / SECOND_MS;
  const each = Math.ceil((takenPerSecond(scale) * seconds) / BACKLOG_ACCOUNTS);
  for (let account = 0; account < BACKLOG_ACCOUNTS; account += 1) world.submit(account, each);
}

/** A task that still waits has waited until now. */
function p99Wait(tasks: readonly SimulatedTask[], nowMs: number): number {
  return percentile(
    tasks.map(({ begunAt = nowMs, submittedAt }) => Math.max(0, begunAt - submittedAt)),
    99,
  );
}

function begunByAccount(tasks: readonly SimulatedTask[], accounts: number): number[] {
  const counts = new Array<number>(accounts).fill(0);
  for (const { account, begunAt } of tasks) if (begunAt !== undefined) counts[account] = (counts[account] ?? 0) + 1;
  return counts;
}

function overtakenAtMost(tasks: readonly SimulatedTask[], accounts: number): number {
  const begun = Array.from({ length: accounts }, (): (number | undefined)[] => []);
  for (const { account, begunAt } of tasks) begun[account]?.push(begunAt);
  return Math.max(...begun.map(mostOvertaken));
}

function countPerSecond(timesMs: readonly number[], { watchedMs }: Scale): number[] {
  const counts = new Array<number>(Math.ceil(watchedMs / SECOND_MS)).fill(0);
  for (const ms of timesMs) {
    const second = Math.floor(ms / SECOND_MS);
    if (second < counts.length) counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}

/** The end of the first seconds that bring so much on the average; the whole time where there are none. */
function fullRateAfter(inSeconds: readonly number[], wanted: number): number {
  const second = inSeconds.findIndex((_, from) => {
    const some = inSeconds.slice(from, from + SUSTAINED_SECONDS);
    return some.length === SUSTAINED_SECONDS && sum(some) >= wanted * SUSTAINED_SECONDS;
  });
  return (second < 0 ? inSeconds.length : second) * SECOND_MS;
}

/** When so many calls are under way together: those of the seconds that one takes. */
function slotsFullAfter(inSeconds: readonly number[], wanted: number): number {
  const seconds = LATENCY_MS / SECOND_MS;
  const second = inSeconds.findIndex((_, at) => sum(inSeconds.slice(Math.max(0, at - seconds + 1), at + 1)) >= wanted);
  return (second < 0 ? inSeconds.length : second + 1) * SECOND_MS;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
