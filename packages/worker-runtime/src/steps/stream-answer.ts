import type { Fault } from '@mediagate/contracts';
import type { OutgoingStream } from '@mediagate/streams';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/**
 * Hands an upstream's answer on to whoever waits for it, no faster than it is taken; the upstream is not read meanwhile.
 * The task has succeeded when the last byte was taken. A caller who leaves before that pays all the same, because the
 * upstream is paid; an answer that breaks, or a gateway that does, costs nobody anything.
 */
export async function streamAnswer(run: Run, deps: WorkerDeps): Promise<Run> {
  const { streaming, listener, underWay } = run;
  if (!streaming) return run;
  if (!listener || !underWay)
    throw new Error(`a stream for a task that nobody waits for, from ${underWay?.channel.id}`);
  const { body, requestIds = [] } = streaming;
  const delivered: Outcome = { kind: 'succeeded', outputs: [], facts: {}, usage: {}, requestIds };
  const brokenOff = (detail: string): Outcome => {
    const fault: Fault = { code: 'outcome_unknown', detail };
    return { kind: 'failed', reason: 'outcome_unknown', fault, requestIds };
  };

  const end = await pump(body, listener);
  if (end.kind === 'taken' || listener.ended === 'caller_left') return { ...run, outcome: delivered };
  if (listener.ended) return { ...run, outcome: brokenOff('the process that its caller waited in is gone') };
  if (run.signal.aborted) return { ...run, outcome: { kind: 'lost' } };
  deps.channels.breaker(underWay.channel.id).recordBreak();
  return { ...run, outcome: brokenOff(`the answer broke off: ${end.why}`.slice(0, 500)) };
}

type Pumped = { kind: 'taken' } | { kind: 'broken'; why: string };

async function pump(body: AsyncIterable<Uint8Array>, listener: OutgoingStream): Promise<Pumped> {
  try {
    for await (const chunk of body) await listener.send(chunk);
    await listener.finish();
    return { kind: 'taken' };
  } catch (error) {
    return { kind: 'broken', why: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error' };
  }
}
