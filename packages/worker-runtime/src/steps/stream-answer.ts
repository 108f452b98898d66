import { keepEnd } from '@mediagate/billing';
import { Linger } from '@mediagate/concurrency';
import { FAULT_TABLE, type Fault } from '@mediagate/contracts';
import { inSpan, type SpanNotes } from '@mediagate/host';
import { type OutgoingSpeech, openSpeech, type SpeechGone } from '@mediagate/speech';
import type { ClaimedTask } from '@mediagate/tasks';
import { type Concluded, chargedEnd } from '../conclude/end-task';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** Connects to the listener while the intent is written. */
export async function reachListener(
  { id: taskId, listener, fence }: ClaimedTask,
  signal: AbortSignal,
  { logger }: WorkerDeps,
): Promise<OutgoingSpeech | undefined> {
  if (listener === null) return undefined;
  return openSpeech(listener, { fence, signal }, (error) => logger.warn('speech.not_reached', { taskId, error }));
}

/**
 * A synchronous task without a listener is never sent to an upstream. The worker connects when it has claimed the
 * task, so that the answer arrives while the intent is written. From here on the call ends when the listener leaves, or lingers.
 */
export async function joinListener(run: Run, deps: WorkerDeps): Promise<Run> {
  if (!run.entry.synchronous) return run;
  const listener = await run.openingSpeech;
  if (!listener) return { ...run, outcome: withoutListener('caller_left') };
  if (listener.ended) return { ...run, listener, outcome: withoutListener(listener.ended) };
  const linger = lingerFor(run, listener, deps);
  return { ...run, listener, linger, signal: AbortSignal.any([run.signal, linger.signal]) };
}

/** Nobody learns what the vendor made of a call whose worker ended while it waited for the answer of one who had left. */
const NEVER_LEARNT: Fault = { code: 'outcome_unknown', detail: 'the worker ended after the caller had left' };

function lingerFor(run: Run, listener: OutgoingSpeech, deps: WorkerDeps): Linger {
  const { lingering } = deps;
  const { task, onEnd } = run;
  const { accountId, isTest } = task;
  const linger = new Linger(() => lingering.tryTake({ owner: { accountId, isTest } }));
  const leave = () => {
    if (listener.ended !== 'caller_left') return linger.stop();
    linger.leave();
    if (linger.signal.aborted) return;
    run.keepEnd(keepEnd(chargedEnd(run, { usage: {}, requestIds: [], fault: NEVER_LEARNT }, deps)));
  };
  listener.signal.addEventListener('abort', leave, { once: true });
  onEnd(() => {
    listener.signal.removeEventListener('abort', leave);
    linger.end();
  });
  return linger;
}

/** Before the upstream's first byte. A caller who left pays where the upstream was asked and nobody knows what came of it. */
export function withoutListener(end: SpeechGone, what: { fault?: Fault; requestIds?: string[] } = {}): Outcome {
  const { fault, requestIds = [] } = what;
  switch (end) {
    case 'caller_left':
      return fault !== undefined && FAULT_TABLE[fault.code].quarantine
        ? { kind: 'charged', usage: {}, requestIds, fault }
        : { kind: 'failed', reason: 'caller_left', ...what };
    case 'api_gone':
      return { kind: 'failed', reason: 'internal_error', ...what };
    default:
      return end satisfies never;
  }
}

/**
 * Streams an upstream's answer to the listener, and reads the upstream no faster than the caller takes the bytes. The task
 * succeeds when the last byte is acknowledged. A caller who leaves before pays all the same, because the upstream is paid;
 * if the answer or the gateway breaks off, the caller pays nothing.
 */
export async function streamAnswer(run: Run, deps: WorkerDeps): Promise<Run> {
  const { streaming, listener, current } = run;
  if (!streaming) return run;
  if (!listener || !current) throw new Error(`channel ${current?.channel.id} streams a task that has no listener`);
  const { body, requestIds = [] } = streaming;
  const delivered: Outcome = { kind: 'succeeded', outputs: [], facts: {}, usage: {}, requestIds };
  const brokenOff = (detail: string): Outcome => {
    const fault: Fault = { code: 'outcome_unknown', detail };
    return { kind: 'failed', reason: 'outcome_unknown', fault, requestIds };
  };

  const attributes = () => ({ 'mediagate.channel': current.channel.id });
  const end = await inSpan('speech.stream', { attributes }, (span) => sendAll(body, listener, span));
  if (end.kind === 'acknowledged' || listener.ended === 'caller_left') return { ...run, outcome: delivered };
  if (listener.ended) return { ...run, outcome: brokenOff('the process that its caller waited in is gone') };
  if (run.signal.aborted) return { ...run, outcome: { kind: 'lost' } };
  const { id: channelId } = current.channel;
  deps.channels.breaker(channelId).recordBreak();
  deps.metrics.calls.brokeOff({ channelId, model: run.task.model });
  return { ...run, outcome: brokenOff(`the answer broke off: ${end.why}`.slice(0, 500)) };
}

type Sent = { kind: 'acknowledged' } | { kind: 'broken'; why: string };

async function sendAll(body: AsyncIterable<Uint8Array>, listener: OutgoingSpeech, span: SpanNotes): Promise<Sent> {
  try {
    span.event('first_byte');
    for await (const chunk of body) {
      const takesMore = listener.send(chunk);
      if (takesMore !== undefined) await takesMore;
    }
    await listener.finish();
    return { kind: 'acknowledged' };
  } catch (error) {
    span.fail('broken');
    return { kind: 'broken', why: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error' };
  }
}

/** Reports the end of a synchronous task to its listener, only after it was written to the database. */
export function reportToListener(listener: OutgoingSpeech | undefined, concluded: Concluded): void {
  if (concluded === 'lost') listener?.breakOff();
  else listener?.end(concluded === 'completed' ? 'settled' : concluded);
}
