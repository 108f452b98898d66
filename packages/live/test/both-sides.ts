import { newTaskId } from '@mediagate/contracts';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import {
  type Delivery,
  type Listening,
  type LiveEvent,
  type LiveReceiver,
  type LiveSender,
  type LiveTiming,
  openLiveReceiver,
  openLiveSender,
} from '../src';
import { until } from './until';

/** A tenth of a deployment's, so that silence is noticed in half a second. */
export const QUICK: LiveTiming = { meetMs: 300, pulseMs: 25, beatMs: 100, silenceMs: 500 };

/** Where nobody is lost: however busy the machine, nobody is taken for it. */
export const PATIENT: LiveTiming = { ...QUICK, meetMs: 1000, silenceMs: 5000 };

export interface BothSides {
  prefix: string;
  receiver: LiveReceiver;
  sender: LiveSender;
  meet(fence?: number): Promise<{ taskId: string; listening: Listening; delivery: Delivery }>;
  close(): Promise<void>;
}

export interface BothSidesOptions {
  redisUrl?: string;
  /** Default: yes. */
  isThere?: boolean;
  timing?: LiveTiming;
}

/** An API process and a worker process in one. */
export async function openBothSides(options: BothSidesOptions = {}): Promise<BothSides> {
  const { redisUrl = testRedisUrl(), timing = PATIENT, isThere = true } = options;
  const prefix = uniquePrefix();
  const receiver = openLiveReceiver({ redisUrl, prefix, timing });
  const sender = openLiveSender({ redisUrl, prefix, timing });
  if (isThere) await until(() => receiver.available(), 'the receiver is open');
  return {
    prefix,
    receiver,
    sender,
    async meet(fence = 1) {
      const taskId = newTaskId();
      const listening = receiver.listen(taskId);
      const delivery = await sender.meet(taskId, fence, never());
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
  listening: Listening,
  onEvent: (event: LiveEvent) => void = () => undefined,
): Promise<{ bytes: Buffer; kinds: string[]; last: LiveEvent | undefined }> {
  const chunks: Buffer[] = [];
  const kinds: string[] = [];
  let last: LiveEvent | undefined;
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
