import { createFinisher, type Finished, taskError } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { type IncomingStream, openStreamReceiver, type StreamEvent } from '@mediagate/streams';
import { until } from './until';
import type { SubmitOptions, World } from './world';

export interface CallOptions extends Omit<SubmitOptions, 'taskId'> {
  /** Default: a new one. */
  label?: string;
  /** Takes that many bytes from its socket, and then no more until `takeAll`; default: everything. */
  takes?: number;
}

export interface Call {
  id: TaskId;
  label: string;
  listening: IncomingStream;
  /** Resolves with the first bytes. */
  begun: Promise<void>;
  /** What came, and how it ended; `ended` is what the API's own ending of the task came to, where the API ends it. */
  heard: Promise<Heard>;
  takeAll(): void;
}

export interface Heard {
  bytes: Buffer;
  last: StreamEvent | undefined;
  ended: Finished | undefined;
}

/** Hears an answer as the API does, which ends the task where its worker is gone. Takes what comes, unless `onChunk` does. */
export async function hear(
  world: World,
  id: TaskId,
  listening: IncomingStream,
  onChunk: (bytes: Buffer) => void = ({ length }) => listening.acknowledge(length),
): Promise<Heard> {
  const finish = createFinisher(world.database);
  const chunks: Buffer[] = [];
  let last: StreamEvent | undefined;
  let ended: Finished | undefined;
  for await (const event of listening) {
    last = event;
    if (event.kind === 'chunk') {
      chunks.push(event.bytes);
      onChunk(event.bytes);
    }
    if (event.kind === 'worker_lost' || event.kind === 'abandoned') {
      const outcome = { kind: 'failed', error: taskError('outcome_unknown') } as const;
      ended = await finish({ taskId: id, accountId: (await world.task(id)).accountId, fence: event.fence, outcome });
    }
  }
  return { bytes: Buffer.concat(chunks), last, ended };
}

/** Stands where the API's route stands: waits for synchronous tasks, and ends those whose worker is gone. */
export async function openCallers(world: World) {
  const { redisUrl, prefix, streamTiming: timing } = world.spec;
  const receiver = openStreamReceiver({ redisUrl, prefix, timing });
  await until(async () => receiver.available(), 'the receiver is open');

  return {
    receiver,
    async call(options: CallOptions = {}): Promise<Call> {
      const { takes = Number.POSITIVE_INFINITY, label = world.label('live'), ...submitted } = options;
      const taskId = newTaskId();
      const listening = receiver.listen(taskId);
      let [allowed, waiting] = [takes, 0];
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      function take(): void {
        const taken = Math.min(allowed, waiting);
        allowed -= taken;
        waiting -= taken;
        listening.acknowledge(taken);
      }
      const heard = hear(world, taskId, listening, (bytes) => {
        waiting += bytes.length;
        take();
        begin();
      });
      await world.submit(label, { model: 'live', ...submitted, taskId });
      return {
        id: taskId,
        label,
        listening,
        begun,
        heard,
        takeAll() {
          allowed = Number.POSITIVE_INFINITY;
          take();
        },
      };
    },
    close: () => receiver.close(),
  };
}

export type Callers = Awaited<ReturnType<typeof openCallers>>;
