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
}: {
  ffmpegPath: string;
  maxCacheBytes?: number;
}): SpeechStudio {
  const readers = createReaders();
  const turns = createTurnstile(READINGS_AT_ONCE);
  const closing = new AbortController();
  const recordings = new Map<string, Recording>();

  const begin = (key: string, order: SpeechOrder, format: SpeechFormat): Recording => {
    const deserted = new AbortController();
    const recording = createRecording(() => {
      if (recording.isFinished()) return;
      recordings.delete(key);
      deserted.abort();
    });
    const signal = AbortSignal.any([deserted.signal, closing.signal]);
    const made = make(order, { format, recording, signal });
    made.then(
      () => {
        recording.finish();
        forgetOldest(recordings, maxCacheBytes);
      },
      (error: Error) => {
        recordings.delete(key);
        recording.fail(error);
      },
    );
    return recording;
  };

  const make = async (
    order: SpeechOrder,
    { format, recording, signal }: { format: SpeechFormat; recording: Recording; signal: AbortSignal },
  ): Promise<void> => {
    const leave = await turns.enter(signal);
    try {
      const { args, tempo } = deliveryOf(order);
      const encoding = startEncoding({ ffmpegPath, format, tempo, onBytes: recording.append, signal });
      await readers.read(order.text, args, { onSamples: encoding.write, signal });
      await encoding.finish();
    } finally {
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
      await readers.close();
    },
  };
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
