import { newTaskId } from '@mediagate/contracts';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import {
  type DirectAddress,
  type IncomingStream,
  type OutgoingStream,
  openStreamReceiver,
  openStreamSender,
  type StreamEvent,
  type StreamReceiver,
  type StreamSender,
  type StreamTiming,
} from '../src';
import { until } from './until';

/** A tenth of a deployment's, so that silence is noticed in half a second. */
export const QUICK: StreamTiming = { answerWithinMs: 300, apiHeartbeatMs: 25, workerHeartbeatMs: 100, silenceMs: 500 };

/** Where nobody is lost: however busy the machine, nobody is taken for it. */
export const PATIENT: StreamTiming = { ...QUICK, answerWithinMs: 1000, silenceMs: 5000 };

export interface BothSides {
  prefix: string;
  receiver: StreamReceiver;
  sender: StreamSender;
  meet(fence?: number): Promise<{ taskId: string; listening: IncomingStream; delivery: OutgoingStream }>;
  close(): Promise<void>;
}

export interface BothSidesOptions {
  redisUrl?: string;
  /** Default: yes. */
  isThere?: boolean;
  timing?: StreamTiming;
  /** Where workers bring answers without Redis between; default: nowhere. */
  direct?: DirectAddress | undefined;
}

/** Loopback, at any port that is free. */
export const DIRECT: DirectAddress = { host: '127.0.0.1', port: 0 };

/** An API process and a worker process in one. */
export async function openBothSides(options: BothSidesOptions = {}): Promise<BothSides> {
  const { redisUrl = testRedisUrl(), timing = PATIENT, isThere = true, direct } = options;
  const prefix = uniquePrefix();
  const receiver = openStreamReceiver({ redisUrl, prefix, timing, direct });
  const sender = openStreamSender({ redisUrl, prefix, timing });
  if (isThere) await until(() => receiver.available(), 'the receiver is open');
  return {
    prefix,
    receiver,
    sender,
    async meet(fence = 1) {
      const taskId = newTaskId();
      const listening = receiver.listen(taskId);
      const delivery = await sender.open({ taskId, fence, signal: never() });
      if (!delivery) throw new Error('nobody was met');
      return { taskId, listening, delivery };
    },
    async close() {
      await Promise.all([receiver.close(), sender.close()]);
    },
  };
}

/** A signal for a meeting that nothing cuts short. */
export const never = () => new AbortController().signal;

/** Reads to the end, as a caller would who takes everything at once. */
export async function hearAll(
  listening: IncomingStream,
  onEvent: (event: StreamEvent) => void = () => undefined,
): Promise<{ bytes: Buffer; kinds: string[]; last: StreamEvent | undefined }> {
  const chunks: Buffer[] = [];
  const kinds: string[] = [];
  let last: StreamEvent | undefined;
  for await (const event of listening) {
    last = event;
    if (kinds.at(-1) !== event.kind) kinds.push(event.kind);
    if (event.kind === 'chunk') {
      chunks.push(event.bytes);
      listening.acknowledge(event.bytes.length);
    }
    onEvent(event);
  }
  return { bytes: Buffer.concat(chunks), kinds, last };
}
