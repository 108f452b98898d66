import { type CallVerdict, endpointOf, verdictOn } from '@mediagate/channels';
import { FAULT_TABLE, type Output, type Refused, type StartOutcome, type Streaming } from '@mediagate/contracts';
import { toCounts, toSavedAnswer } from '../attempt-end';
import { isAccepted, type Run } from '../run-state';
import { asUnknown, finalRefusal, inDoubt, PASSED_OVER, unsent } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { withCarried } from './carry-media';
import { measureCall } from './measure-call';
import { withoutListener } from './stream-answer';

/** The one step that spends money upstream. It runs under a written intent, once, through the channel's breaker. */
export async function startAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (isAccepted(run) || !run.current) return run;
  const { current, task, entry, media = [], signal } = run;
  const { channel, adapter } = current;
  const callbackUrl = deps.callbackUrl?.(current.id, channel.id);
  const request = {
    attemptId: current.id,
    request: withCarried(entry.request(task.input, media), run),
    media,
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  };
  const { accountId, isTest } = task;
  const context = {
    endpoint: endpointOf(channel, task.model),
    owner: { accountId, isTest },
    signal,
    newFile: run.files.newFile,
    onSent: run.linger && (() => run.linger?.set(deps.lingerMs)),
  };
  if (!run.stillLeased()) return { ...run, outcome: task.attempt ? { kind: 'lost' } : unsent('the lease had run out') };
  const start = () => adapter.start(request, context).then(withFirstBytes).catch(asUnknown);
  const isOurs = () => isStopped(run);
  const started = await deps.channels.breaker(channel.id).run<StartOutcome>(
    task.model,
    () => measureCall(run, 'start', { ask: start, isOurs }, deps),
    (outcome) => judge(outcome, run),
  );
  // The vendor has begun, or will not: what is left of an answer that nobody hears is stopped.
  run.linger?.set(0);
  run.files.shrinkTo(started?.kind === 'done' ? bytesInFiles(started.outputs) : 0);
  return applyStart(run, started ?? PASSED_OVER);
}

function applyStart(run: Run, started: StartOutcome): Run {
  const { synchronous: isSynchronous } = run.entry;
  if (started.kind !== 'refused' && isSynchronous !== (started.kind === 'streaming')) {
    throw new Error(
      `${run.current?.adapter.protocol} answered a task ${isSynchronous ? 'to be streamed' : 'to be stored'} with ${started.kind}`,
    );
  }
  switch (started.kind) {
    case 'done': {
      const { outputs, facts, usage, credits, requestIds = [] } = started;
      const produced = { outputs, facts, usage: toCounts(usage), credits, requestIds };
      const operation = toSavedAnswer(run, produced);
      const [externalId = run.current?.id ?? ''] = requestIds;
      if (operation === undefined) return { ...run, produced };
      return { ...run, produced, outcome: { kind: 'accepted', externalId, operation, checkAfterMs: 0, requestIds } };
    }
    case 'started': {
      const { externalId, operation, checkAfterMs, requestIds = [] } = started;
      return { ...run, outcome: { kind: 'accepted', externalId, operation, checkAfterMs, requestIds } };
    }
    case 'refused':
      return { ...run, outcome: refusalOutcome(run, started) };
    case 'streaming':
      return { ...run, streaming: started };
    default:
      return started satisfies never;
  }
}

function bytesInFiles(outputs: readonly Output[]): number {
  return outputs.reduce(
    (sum, { bytes }) => sum + (bytes === undefined || Buffer.isBuffer(bytes) ? 0 : bytes.totalBytes),
    0,
  );
}

/** A call that was stopped because its listener left does not count for or against the channel. */
function judge(outcome: StartOutcome, run: Run): CallVerdict {
  if (outcome.kind !== 'refused') return 'success';
  if (isStopped(run)) return 'uncounted';
  return verdictOn(outcome.fault);
}

function isStopped({ listener, signal }: Run): boolean {
  return listener?.ended !== undefined && signal.aborted;
}

function refusalOutcome(run: Run, refusal: Refused): NonNullable<Run['outcome']> {
  const { fault, requestIds = [] } = refusal;
  if (run.listener?.ended !== undefined) return withoutListener(run.listener.ended, { fault, requestIds });
  const { nextChannel, quarantine } = FAULT_TABLE[fault.code];
  if (quarantine || (nextChannel && run.inDoubt)) return inDoubt(run, fault, requestIds);
  return finalRefusal(refusal) ?? { kind: 'turned_away', fault, requestIds };
}

/**
 * The first bytes belong to the start: until they come nothing is known to be made, and the channel is judged by them.
 *
 * @throws what the answer broke with before them.
 */
async function withFirstBytes(started: StartOutcome): Promise<StartOutcome> {
  if (started.kind !== 'streaming') return started;
  const parts = started.body[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return EMPTY;
  return { ...started, body: resume(first.value, parts) };
}

const EMPTY = {
  kind: 'refused',
  fault: { code: 'outcome_unknown', detail: 'the answer was empty' },
} as const satisfies StartOutcome;

/** Adds no promise to those of the rest. */
function resume(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Streaming['body'] {
  let isFirst = true;
  const next = (): Promise<IteratorResult<Uint8Array>> => {
    if (!isFirst) return rest.next();
    isFirst = false;
    return Promise.resolve({ done: false, value: first });
  };
  // Ends the call when it is left early.
  const leave = async (): Promise<IteratorResult<Uint8Array>> => {
    await rest.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}
