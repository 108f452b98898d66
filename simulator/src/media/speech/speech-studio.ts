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

interface SpeechStudioOptions {
  ffmpegPath: string;
  maxCacheBytes?: number;
  /** Is called when there is one reading less. */
  onRest(): void;
}

/** Equal orders share one reading. A reading that nobody listens to any longer is given up unless it is finished. */
export function createSpeechStudio(options: SpeechStudioOptions): SpeechStudio {
  return new CachingStudio(options);
}

class CachingStudio implements SpeechStudio {
  readonly #options: SpeechStudioOptions;
  readonly #readers = createReaders();
  readonly #turns = createTurnstile(READINGS_AT_ONCE);
  readonly #closing = new AbortController();
  readonly #recordings = new Map<string, Recording>();
  readonly #makings = new Set<Promise<void>>();

  constructor(options: SpeechStudioOptions) {
    this.#options = options;
  }

  async *speak(order: SpeechOrder, format: SpeechFormat, signal: AbortSignal): AsyncGenerator<Buffer> {
    const key = JSON.stringify([order, format]);
    const recording = this.#recordings.get(key) ?? this.#begin(key, order, format);
    // The order of a Map is that of insertion: the one wanted last goes last.
    this.#recordings.delete(key);
    this.#recordings.set(key, recording);
    yield* recording.listen(signal);
  }

  work(): { running: number; waiting: number } {
    return { running: this.#turns.inside(), waiting: this.#turns.waiting() };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#makings);
    await this.#readers.close();
  }

  #begin(key: string, order: SpeechOrder, format: SpeechFormat): Recording {
    const deserted = new AbortController();
    const recording = createRecording(() => {
      if (recording.isFinished()) return;
      this.#forget(key, recording);
      deserted.abort();
    });
    const signal = AbortSignal.any([deserted.signal, this.#closing.signal]);
    const making = this.#make(order, { format, recording, signal })
      .then(recording.finish, (error: unknown) => {
        this.#forget(key, recording);
        recording.fail(error);
      })
      .finally(() => {
        this.#makings.delete(making);
        forgetOldest(this.#recordings, this.#options.maxCacheBytes ?? MAX_CACHE_BYTES);
        this.#options.onRest();
      });
    this.#makings.add(making);
    return recording;
  }

  #forget(key: string, recording: Recording): void {
    if (this.#recordings.get(key) === recording) this.#recordings.delete(key);
  }

  async #make(order: SpeechOrder, { format, recording, signal }: MakeOptions): Promise<void> {
    const leave = await this.#turns.enter(signal);
    const { args, tempo } = deliveryOf(order);
    const { ffmpegPath } = this.#options;
    const encoding = startEncoding({ ffmpegPath, format, tempo, onBytes: recording.append });
    const stop = () => void encoding.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#readers.read(order.text, args, { onSamples: encoding.write, signal });
      await encoding.finish();
    } finally {
      signal.removeEventListener('abort', stop);
      await encoding.stop();
      leave();
    }
  }
}

interface MakeOptions {
  format: SpeechFormat;
  recording: Recording;
  signal: AbortSignal;
}

/** Recordings that are still being made, or listened to, stay in any case. */
function forgetOldest(recordings: Map<string, Recording>, maxBytes: number): void {
  let totalBytes = [...recordings.values()].reduce((sum, recording) => sum + recording.lengthBytes(), 0);
  for (const [key, recording] of recordings) {
    if (totalBytes <= maxBytes) return;
    if (!recording.isFinished() || recording.listeners() > 0) continue;
    recordings.delete(key);
    totalBytes -= recording.lengthBytes();
  }
}
