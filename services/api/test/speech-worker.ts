import { createFinisher, taskError } from '@mediagate/billing';
import type { ListenerAddress, Message, TaskFailureReason, TaskJob } from '@mediagate/contracts';
import { type OutgoingSpeech, openSpeech } from '@mediagate/speech';
import { type ClaimedTask, claimTask } from '@mediagate/tasks';
import type { TestApi } from './test-api';

const LEASE_MS = 60_000;

/** A worker's part in one speech, which the test sends line by line. */
export interface Speaker {
  task: ClaimedTask;
  delivery: OutgoingSpeech;
  /** Completes the task at its price. False: somebody ended it before. */
  settle(): Promise<boolean>;
  /** Fails the task with a refund. False: somebody ended it before. */
  refund(reason: TaskFailureReason, message?: Message): Promise<boolean>;
  /** The same, and tells the listener. */
  fail(reason: TaskFailureReason, message?: Message): Promise<void>;
}

export interface SpeechWorker {
  /** Resolves when a task with that text was claimed and its caller found; rejects if nobody waits for it. */
  meet(text: string): Promise<Speaker>;
  /** The whole of a speech, in these parts. */
  speak(text: string, ...parts: Buffer[]): Promise<void>;
  stop(): Promise<void>;
}

/** The worker's side of speech, in the process of the test: real claims, real connections, and a test for an upstream. */
export function startSpeechWorker({ database, queues }: TestApi): SpeechWorker {
  const finish = createFinisher(database);
  const waiting = new Map<string, (speaker: Speaker | undefined) => void>();
  const early = new Map<string, Speaker | undefined>();
  const consumer = queues.consumeTasks('tts', async (job) => void (await take(job)), { concurrency: 100 });

  async function take({ taskId }: TaskJob): Promise<void> {
    const claimed = await claimTask(database, taskId, LEASE_MS);
    if (claimed.kind !== 'claimed') return;
    const { task } = claimed;
    const text = String(task.input['input']);
    const delivery = task.listener ? await open(task.listener, task.fence) : undefined;
    const speaker = delivery && speakerOf(task, delivery);
    const tell = waiting.get(text);
    if (tell) tell(speaker);
    else early.set(text, speaker);
  }

  function speakerOf(task: ClaimedTask, delivery: OutgoingSpeech): Speaker {
    const { id: taskId, accountId, fence, reservedNano: costNano } = task;
    const settle = async () =>
      (await finish({ taskId, accountId, fence, outcome: { kind: 'completed', costNano } })).won;
    const refund = async (reason: TaskFailureReason, message?: Message) => {
      const error = taskError(reason, { message });
      return (await finish({ taskId, accountId, fence, outcome: { kind: 'failed', error } })).won;
    };
    return {
      task,
      delivery,
      settle,
      refund,
      async fail(reason, message) {
        await refund(reason, message);
        delivery.end('failed');
      },
    };
  }

  async function meet(text: string): Promise<Speaker> {
    const speaker = await new Promise<Speaker | undefined>((resolve) => {
      if (early.has(text)) resolve(early.get(text));
      else waiting.set(text, resolve);
    });
    if (!speaker) throw new Error(`nobody waits for ${text}`);
    return speaker;
  }

  return {
    meet,
    async speak(text, ...parts) {
      const speaker = await meet(text);
      for (const part of parts) await speaker.delivery.send(part);
      await speaker.delivery.finish();
      await speaker.settle();
      speaker.delivery.end('settled');
    },
    stop: () => consumer.close(),
  };
}

function open(listener: ListenerAddress, fence: number): Promise<OutgoingSpeech | undefined> {
  const { signal } = new AbortController();
  return openSpeech(listener, { fence, signal }, () => undefined);
}
