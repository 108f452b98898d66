import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Threads that read texts aloud. */
export interface Readers {
  /** Hands over samples (16 bits, mono, 22.05 kHz) as they are made. When the signal fires the thread is ended. */
  read(
    text: string,
    args: string[],
    options: { onSamples(samples: Uint8Array): void; signal: AbortSignal },
  ): Promise<void>;
  close(): Promise<void>;
}

export const SAMPLE_RATE = 22_050;
/** 20 minutes; a longer reading is cut off there. */
export const MAX_READING_SECONDS = 1_200;
const BYTES_A_SECOND = SAMPLE_RATE * 2;

type Message = { samples: Uint8Array } | { done: true } | { failure: string };

/** As many threads as read at once; whoever calls sees to it that they are few. They wait for the next text. */
export function createReaders(): Readers {
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  const hire = () => {
    const worker = idle.pop() ?? new Worker(join(__dirname, 'espeak-worker.mjs'), workerOptions);
    all.add(worker);
    return worker;
  };
  const dismiss = async (worker: Worker) => {
    all.delete(worker);
    await worker.terminate();
  };

  return {
    async read(text, args, { onSamples, signal }) {
      signal.throwIfAborted();
      const worker = hire();
      try {
        await lesson(worker, { text, args, onSamples, signal });
        idle.push(worker);
      } catch (error) {
        await dismiss(worker);
        throw error;
      }
    },
    close: async () => void (await Promise.all([...all].map(dismiss))),
  };
}

const workerOptions = { workerData: { maxBytes: MAX_READING_SECONDS * BYTES_A_SECOND } };

function lesson(
  worker: Worker,
  {
    text,
    args,
    onSamples,
    signal,
  }: { text: string; args: string[]; onSamples(samples: Uint8Array): void; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      signal.removeEventListener('abort', onAbort);
      end();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    worker.on('message', (message: Message) => {
      if ('samples' in message) return onSamples(message.samples);
      settle(() => ('done' in message ? resolve() : reject(new Error(message.failure))));
    });
    worker.once('error', (error) => settle(() => reject(error)));
    worker.once('exit', () => settle(() => reject(new Error('the reading thread ended'))));
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage({ text, args });
  });
}
