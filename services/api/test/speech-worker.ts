import { createFinisher, taskError } from '@mediagate/billing';
import { messageOf, type TaskFailureReason, type TaskJob } from '@mediagate/contracts';
import { type OutgoingStream, openStreamSender, type StreamSender, type TaskFailure } from '@mediagate/streams';
import { type ClaimedTask, createTaskClaimer } from '@mediagate/tasks';
import { testRedisUrl } from '@mediagate/testkit';
import { streamTiming } from './speech-timing';
import type { TestApi } from './test-api';

const LEASE_MS = 60_000;

/** A worker's part in one speech, which the test sends line by line. */
export interface Speaker {
  task: ClaimedTask;
  delivery: OutgoingStream;
  /** Completes the task at its price. False: somebody ended it before. */
  settle(): Promise<boolean>;
  /** Fails the task with a refund. False: somebody ended it before. */
  refund(reason: TaskFailureReason): Promise<boolean>;
  /** The same, and tells the listener. */
  fail(reason: TaskFailureReason, failure?: Partial<TaskFailure>): Promise<void>;
}

export interface SpeechWorker {
  /** Resolves when a task with that text was claimed and its caller found; undefined: nobody waits for it. */
  meet(text: string): Promise<Speaker | undefined>;
  /** The whole of a speech, in these parts. */
  speak(text: string, ...parts: Buffer[]): Promise<void>;
  sender: StreamSender;
  stop(): Promise<void>;
}

/** The worker's side of speech, in the process of the test: real claims, real streams, and a test for an upstream. */
export function startSpeechWorker({ database, queues, redisPrefix }: TestApi): SpeechWorker {
  const sender = openStreamSender({ redisUrl: testRedisUrl(), prefix: redisPrefix, timing: streamTiming });
  const claim = createTaskClaimer(database, LEASE_MS);
  const finish = createFinisher(database);
  const waiting = new Map<string, (speaker: Speaker | undefined) => void>();
  const early = new Map<string, Speaker | undefined>();
  const consumer = queues.consumeTasks('tts', (job) => take(job), { concurrency: 100 });

  async function take({ taskId, listener }: TaskJob): Promise<void> {
    const connection = listener && sender.connect(taskId, listener);
    const claimed = await claim(taskId);
    if (claimed.kind !== 'claimed') return connection?.close();
    const { task } = claimed;
    const text = String(task.input['input']);
    const delivery = await sender.open({ taskId, fence: task.fence, signal: new AbortController().signal }, connection);
    const speaker = delivery && speakerOf(task, delivery);
    const tell = waiting.get(text);
    if (tell) tell(speaker);
    else early.set(text, speaker);
  }

  function speakerOf(task: ClaimedTask, delivery: OutgoingStream): Speaker {
    const { id: taskId, accountId, fence, reservedNano: costNano } = task;
    const settle = async () =>
      (await finish({ taskId, accountId, fence, outcome: { kind: 'completed', costNano } })).won;
    const refund = async (reason: TaskFailureReason) => {
      const error = taskError(reason);
      return (await finish({ taskId, accountId, fence, outcome: { kind: 'failed', error } })).won;
    };
    return {
      task,
      delivery,
      settle,
      refund,
      async fail(reason, failure = {}) {
        await refund(reason);
        await delivery.failed({ reason, message: messageOf(reason), ...failure });
      },
    };
  }

  const meet = (text: string) =>
    new Promise<Speaker | undefined>((resolve) => {
      if (early.has(text)) resolve(early.get(text));
      else waiting.set(text, resolve);
    });

  return {
    sender,
    meet,
    async speak(text, ...parts) {
      const speaker = await meet(text);
      if (!speaker) throw new Error('nobody waits for it');
      for (const part of parts) await speaker.delivery.send(part);
      await speaker.delivery.finish();
      await speaker.settle();
      await speaker.delivery.settled();
    },
    async stop() {
      await consumer.close();
      await sender.close();
    },
  };
}
