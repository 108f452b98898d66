import type { Fault } from '@mediagate/contracts';
import { inSpan, type SpanNotes } from '@mediagate/host';
import type { OutgoingSpeech } from '@mediagate/speech';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

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
