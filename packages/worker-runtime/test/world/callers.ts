import { createFinisher, type FinishOutcome, taskError } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { openSpeechPort, type SpeechEnd, type WaitingCaller } from '@mediagate/speech';
import type { SubmitOptions, World } from './world';

export interface CallOptions extends Omit<SubmitOptions, 'listener'> {
  /** Default: a new one. */
  label?: string;
  /** Takes that many bytes from its socket, and then no more until `takeAll`; default: everything. */
  takes?: number;
}

export interface Call {
  id: TaskId;
  label: string;
  listening: WaitingCaller;
  /** Resolves with the first bytes. */
  begun: Promise<void>;
  /** The bytes that came, and how they ended; `ended` is the outcome of the API's own ending of the task, where the API ends it. */
  heard: Promise<Heard>;
  takeAll(): void;
}

export interface Heard {
  bytes: Buffer;
  last: SpeechEnd;
  ended: FinishOutcome | undefined;
}

/** Stands where the API's route stands: waits for synchronous tasks, and ends those whose worker is gone. */
export async function openCallers(world: World) {
  const port = await openSpeechPort({ host: '127.0.0.1', port: 0 });
  const finish = createFinisher(world.database);

  async function endTask(taskId: TaskId, { kind, fence }: SpeechEnd): Promise<FinishOutcome | undefined> {
    if (kind !== 'worker_lost' && kind !== 'abandoned') return undefined;
    const outcome = { kind: 'failed', error: taskError('outcome_unknown') } as const;
    const { accountId } = await world.task(taskId);
    return finish({ taskId, accountId, fence: kind === 'abandoned' ? 'any' : fence, outcome });
  }

  return {
    async call(options: CallOptions = {}): Promise<Call> {
      const {
        takes = Number.POSITIVE_INFINITY,
        label = world.label('live'),
        taskId = newTaskId(),
        ...submitted
      } = options;
      const listening = port.expect();
      const audio = new TakenAudio(takes);
      const heard = listening
        .hear((bytes, onTaken) => audio.take(bytes, onTaken))
        .then(async (last) => ({ bytes: Buffer.concat(audio.chunks), last, ended: await endTask(taskId, last) }));
      await world.submit(label, { model: 'live', ...submitted, taskId, listener: listening.listener });
      return { id: taskId, label, listening, begun: audio.begun, heard, takeAll: () => audio.takeAll() };
    },
    close: () => port.close(),
  };
}

/** Audio whose bytes the caller's socket takes up to a number. */
class TakenAudio {
  readonly chunks: Buffer[] = [];
  readonly begun: Promise<void>;
  #begin: () => void = () => undefined;
  #allowed: number;
  #waiting: (() => void)[] = [];

  constructor(allowed: number) {
    this.#allowed = allowed;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  take(bytes: Buffer, onTaken: () => void): void {
    this.chunks.push(bytes);
    this.#begin();
    this.#allowed -= bytes.length;
    if (this.#allowed >= 0) onTaken();
    else this.#waiting.push(onTaken);
  }

  takeAll(): void {
    this.#allowed = Number.POSITIVE_INFINITY;
    for (const onTaken of this.#waiting.splice(0)) onTaken();
  }
}

export type Callers = Awaited<ReturnType<typeof openCallers>>;
