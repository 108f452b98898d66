import { createChanges } from '../../changes';

/** Sound that is still being made: who listens hears it from the beginning and goes on as it grows. */
export interface Recording {
  append(bytes: Buffer): void;
  finish(): void;
  fail(error: unknown): void;
  /** Every byte once, in pieces of at most 64 KiB; throws what the making threw, ends early when the signal fires. */
  listen(signal: AbortSignal): AsyncGenerator<Buffer>;
  listeners(): number;
  lengthBytes(): number;
  isFinished(): boolean;
}

const PIECE_BYTES = 64 * 1024;
/** Longer than any making takes: whatever is wrong then shall not hold a caller for ever. */
const SILENCE_MS = 150_000;

export function createRecording(onDeserted: () => void): Recording {
  let pieces: Buffer[] = [];
  const changes = createChanges();
  let state: 'growing' | 'finished' | { failure: unknown } = 'growing';
  let lengthBytes = 0;
  let listeners = 0;

  async function* heard(signal: AbortSignal): AsyncGenerator<Buffer> {
    const own = pieces;
    for (let next = 0; !signal.aborted; next += 1) {
      await changes.until(() => next < own.length || state !== 'growing', SILENCE_MS, signal);
      const piece = own[next];
      if (piece) yield piece;
      else if (typeof state === 'object') throw state.failure;
      else if (state === 'growing' && !signal.aborted) throw new Error('the sound stopped growing');
      else return;
    }
  }

  return {
    append(bytes) {
      pieces.push(...cut(bytes));
      lengthBytes += bytes.length;
      changes.notify();
    },
    finish() {
      state = 'finished';
      // A listener who comes now gets few large pieces; one who listens already goes on with the small ones.
      pieces = cut(Buffer.concat(pieces));
      changes.notify();
    },
    fail(error) {
      state = { failure: error };
      changes.notify();
    },
    async *listen(signal) {
      listeners += 1;
      try {
        yield* heard(signal);
      } finally {
        listeners -= 1;
        if (listeners === 0) onDeserted();
      }
    },
    listeners: () => listeners,
    lengthBytes: () => lengthBytes,
    isFinished: () => state === 'finished',
  };
}

function cut(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES));
}
