import { createTurnstile } from '../turnstile';
import { type SpeechFormat, startEncoding } from './encoder';
import { createReaders } from './readers';
import { createRecording, type Recording } from './recording';
import { deliveryOf, type SpeechOrder } from './voices';

export interface SpeechStudio {
  /** The text read aloud, as it is made; from memory when it was read before. Throws when ffmpeg cannot be run. */
  speak(order: SpeechOrder, format: SpeechFormat, signal: AbortSignal): AsyncGenerator<Buffer>;
  /** Readings that are made now, and those that wait for their turn. */
  work(): { running: number; waiting: number };
  /** Ends what runs. */
  close(): Promise<void>;
}

const READINGS_AT_ONCE = 2;
const MAX_CACHE_BYTES = 128 * 1024 * 1024;

/** Equal orders share one reading. A reading that nobody listens to any longer is given up unless it is finished. */
export function createSpeechStudio({
  ffmpegPath,
  maxCacheBytes = MAX_CACHE_BYTES,
  onRest,
}: {
  ffmpegPath: string;
  maxCacheBytes?: number;
  /** Is called when there is one reading less. */
  onRest(): void;
}): SpeechStudio {
  const readers = createReaders();
  const turns = createTurnstile(READINGS_AT_ONCE);
  const closing = new AbortController();
  const recordings = new Map<string, Recording>();
  const makings = new Set<Promise<void>>();

  const begin = (key: string, order: SpeechOrder, format: SpeechFormat): Recording => {
    const deserted = new AbortController();
    const forget = () => {
      if (recordings.get(key) === recording) recordings.delete(key);
    };
    const recording = createRecording(() => {
      if (recording.isFinished()) return;
      forget();
      deserted.abort();
    });
    const signal = AbortSignal.any([deserted.signal, closing.signal]);
    const making = make(order, { format, recording, signal })
      .then(recording.finish, (error: unknown) => {
        forget();
        recording.fail(error);
      })
      .finally(() => {
        makings.delete(making);
        forgetOldest(recordings, maxCacheBytes);
        onRest();
      });
    makings.add(making);
    return recording;
  };

  const make = async (order: SpeechOrder, { format, recording, signal }: MakeOptions): Promise<void> => {
    const leave = await turns.enter(signal);
    const { args, tempo } = deliveryOf(order);
    const encoding = startEncoding({ ffmpegPath, format, tempo, onBytes: recording.append });
    const stop = () => void encoding.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await readers.read(order.text, args, { onSamples: encoding.write, signal });
      await encoding.finish();
    } finally {
      signal.removeEventListener('abort', stop);
      await encoding.stop();
      leave();
    }
  };

  return {
    async *speak(order, format, signal) {
      const key = JSON.stringify([order, format]);
      const recording = recordings.get(key) ?? begin(key, order, format);
      // The order of a Map is that of insertion: the one wanted last goes last.
      recordings.delete(key);
      recordings.set(key, recording);
      yield* recording.listen(signal);
    },
    work: () => ({ running: turns.inside(), waiting: turns.waiting() }),
    async close() {
      closing.abort();
      await Promise.all(makings);
      await readers.close();
    },
  };
}

interface MakeOptions {
  format: SpeechFormat;
  recording: Recording;
  signal: AbortSignal;
}

/** Those that are still being made, or listened to, stay in any case. */
function forgetOldest(recordings: Map<string, Recording>, maxBytes: number): void {
  let totalBytes = [...recordings.values()].reduce((sum, recording) => sum + recording.lengthBytes(), 0);
  for (const [key, recording] of recordings) {
    if (totalBytes <= maxBytes) return;
    if (!recording.isFinished() || recording.listeners() > 0) continue;
    recordings.delete(key);
    totalBytes -= recording.lengthBytes();
  }
}
