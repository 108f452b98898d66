import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Threads that read texts aloud. */
export interface Readers {
  /** Hands over samples (16 bits, mono, 22.05 kHz) as they are made. When the signal fires the thread is ended. */
  read(text: string, args: string[], options: ReadOptions): Promise<void>;
  close(): Promise<void>;
}

export interface ReadOptions {
  onSamples(samples: Uint8Array): void;
  signal: AbortSignal;
}

export const SAMPLE_RATE = 22_050;
/** Length of a reading; the rest is cut off. */
const MAX_READING_SECONDS = 1_200;
const BYTES_A_SECOND = SAMPLE_RATE * 2;

type Message = { samples: Uint8Array } | { done: true } | { failure: string };

/** As many threads as read at once; whoever calls sees to it that they are few. Afterwards they wait for the next text. */
export function createReaders(): Readers {
  const idle = new Set<Worker>();
  const all = new Set<Worker>();

  const hire = (): Worker => {
    const [waiting] = idle;
    if (waiting) {
      idle.delete(waiting);
      return waiting;
    }
    const workerData = { maxBytes: MAX_READING_SECONDS * BYTES_A_SECOND };
    const worker = new Worker(join(__dirname, 'espeak-worker.mjs'), { workerData });
    all.add(worker);
    worker.once('exit', () => {
      all.delete(worker);
      idle.delete(worker);
    });
    return worker;
  };

  return {
    async read(text, args, options) {
      options.signal.throwIfAborted();
      const worker = hire();
      try {
        await reading(worker, { text, args, ...options });
        idle.add(worker);
      } catch (error) {
        await worker.terminate();
        throw error;
      }
    },
    close: async () => void (await Promise.all([...all].map((worker) => worker.terminate()))),
  };
}

function reading(
  worker: Worker,
  { text, args, onSamples, signal }: { text: string; args: string[] } & ReadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onMessage = (message: Message) => {
      if ('samples' in message) return onSamples(message.samples);
      end(() => ('done' in message ? resolve() : reject(new Error(message.failure))));
    };
    const onExit = () => end(() => reject(new Error('the reading thread ended')));
    const onAbort = () => end(() => reject(signal.reason));
    worker.on('message', onMessage).on('error', reject).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage({ text, args });
  });
}
