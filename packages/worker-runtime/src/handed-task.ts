import type { HandedOver, HandedTask, OfferedChannel, WorkerOffer } from '@mediagate/streams';
import type { ClaimedTask } from '@mediagate/tasks';
import type { Lease } from './lease';
import type { CurrentAttempt, Run } from './run-state';
import { adapterOf } from './steps/bar-unfit-channels';
import { isAskedAbout } from './steps/begin-attempt';
import type { WorkerDeps } from './worker-deps';

/**
 * With what this process would begin tasks now, if an API process booked them with its claim and its intent. Undefined: it has as much to
 * do as it may.
 *
 * @param slots tasks that it may have in flight, without those that it may be handed already.
 */
export function offerOf(deps: WorkerDeps, slots: number): WorkerOffer | undefined {
  if (deps.inFlight.size >= slots) return undefined;
  const { family } = deps.profile;
  const models = deps.catalogue.entries.filter((entry) => entry.synchronous && entry.family === family);
  const channels = models.flatMap(({ id: model }): [string, OfferedChannel][] => {
    const [best] = deps.channels.candidates({ model, isTest: false }, []);
    if (best === undefined || !isPlain(best.id, deps)) return [];
    return [[model, { channelId: best.id, protocol: best.protocol }]];
  });
  return { leaseMs: deps.leaseMs, channels: Object.fromEntries(channels) };
}

/** An intent to ask it needs nothing else to be counted or written. */
export function isPlain(channelId: string, deps: WorkerDeps): boolean {
  const channel = deps.channels.find(channelId);
  if (channel === undefined || channel.maxConcurrency !== undefined || deps.paces.isPaced(channelId)) return false;
  return !isAskedAbout(adapterOf(channel, deps));
}

/** What the API process has written for this one. Undefined: the model or the channel is gone since it was offered. */
export function attemptOf(handed: HandedTask, deps: WorkerDeps): CurrentAttempt | undefined {
  const { attemptId: id, channelId, model, operation } = handed;
  if (deps.catalogue.find(model, operation) === undefined) return undefined;
  const channel = deps.channels.find(channelId);
  return channel && { id, channel, adapter: adapterOf(channel, deps) };
}

export interface UnderIntent {
  attempt: CurrentAttempt;
  way: HandedOver;
}

/** What the API process wrote counts for as long as that has not taken this worker for lost: a process that was frozen does not know. */
export function underIntent(
  { attempt, way }: UnderIntent,
  { stillLeased }: Pick<Lease, 'stillLeased'>,
): Pick<Run, 'isHanded' | 'current' | 'stillLeased'> {
  return {
    isHanded: true,
    current: attempt,
    stillLeased: () => stillLeased() && performance.now() < way.beginBy,
  };
}

/** The task as its claim would have read it. Its times are needed for spans and pauses alone, so this process's clock will do. */
export function claimedTask(handed: HandedTask): ClaimedTask {
  const { taskId: id, accountId, keyId, family, kind, model, operation, input, fence, deadlineMs } = handed;
  const now = Date.now();
  return {
    ...AS_BOOKED,
    id,
    accountId,
    keyId,
    family,
    kind,
    model,
    operation,
    input,
    fence,
    rates: Object.fromEntries(Object.entries(handed.rates).map(([unit, nano]) => [unit, BigInt(nano)])),
    reservedNano: BigInt(handed.reservedNano),
    createdAt: new Date(now),
    startedAt: new Date(now),
    deadlineAt: new Date(now + deadlineMs),
    msToDeadline: deadlineMs,
    traceContext: handed.traceContext ?? null,
  };
}

/** Of every task at its first claim; and what no step of a synchronous task reads: its callback's and its caller's own fields. */
const AS_BOOKED = {
  status: 'pending',
  progress: 0,
  warnings: [],
  webhook: null,
  language: null,
  parentTaskId: null,
  metadata: null,
  isTest: false,
  costNano: null,
  usage: null,
  result: null,
  error: null,
  completedAt: null,
  isCancelRequested: false,
  failedSteps: 0,
  lostSteps: 0,
  attempt: undefined,
  attemptsMade: 0,
  triedChannels: [],
  barredChannels: [],
  msSinceCancelRequest: null,
} satisfies Partial<ClaimedTask>;
