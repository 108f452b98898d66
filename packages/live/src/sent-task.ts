import { type Delivery, type DeliveryEnd, DeliveryEndedError, WINDOW_BYTES } from './delivery';
import { EMPTY, type Entry } from './wire';

/** A larger part is sent in pieces, so that the window is never waited for by a single one. */
const PIECE_BYTES = WINDOW_BYTES / 4;

export interface SentTaskDeps {
  taskId: string;
  fence: number;
  /** Ends whatever is waited for. */
  signal: AbortSignal;
  /** Entries keep their order. Resolves when Redis has it, or is given up. */
  add(entry: Entry, bytes: Buffer): Promise<void>;
  /** The last word was said: forget it. */
  over(): void;
}

/** A task from the side of the worker that has it. Knows nothing of Redis. */
export interface SentTask {
  delivery: Delivery;
  hearTaken(bytes: number): void;
  end(end: DeliveryEnd): void;
}

export function createSentTask({ taskId, fence, signal, add, over }: SentTaskDeps): SentTask {
  const controller = new AbortController();
  let [sent, taken, chunks] = [0, 0, 0];
  /** Entries of this task that Redis has not confirmed. */
  let onTheirWay = 0;
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;
  let ended: DeliveryEnd | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  const onAbort = () => wake?.();
  signal.addEventListener('abort', onAbort, { once: true });

  /** One at a time waits: whoever sends, in its order. */
  async function until(holds: () => boolean): Promise<void> {
    while (ended === undefined && !signal.aborted && !holds()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (ended !== undefined) throw new DeliveryEndedError(ended);
    signal.throwIfAborted();
  }

  async function sendPiece(piece: Buffer): Promise<void> {
    await until(() => sent + piece.length - taken <= WINDOW_BYTES);
    sent += piece.length;
    if (gatheredBytes + piece.length > PIECE_BYTES) sendGathered();
    gathered.push(piece);
    gatheredBytes += piece.length;
    // The first bytes are what is waited for. The rest gathers while an entry is on its way, so that busy hours have fewer.
    if (chunks === 0 || gatheredBytes >= PIECE_BYTES) sendGathered();
    else if (onTheirWay === 0 && gathered.length === 1) setImmediate(sendGathered);
  }

  function sendGathered(): void {
    if (gathered.length === 0 || isOver || ended !== undefined) return;
    const [first = EMPTY, ...more] = gathered;
    const bytes = more.length === 0 ? first : Buffer.concat(gathered, gatheredBytes);
    gathered = [];
    gatheredBytes = 0;
    chunks += 1;
    // Not waited for: what Redis does not take ends the delivery, and the window bounds what is on its way.
    onTheirWay += 1;
    void add({ word: 'chunk', taskId, fence, value: chunks - 1 }, bytes).then(() => {
      onTheirWay -= 1;
      if (onTheirWay === 0) sendGathered();
    });
  }

  async function lastWord(entry: Entry): Promise<void> {
    if (isOver) return;
    sendGathered();
    isOver = true;
    signal.removeEventListener('abort', onAbort);
    const added = add(entry, EMPTY);
    over();
    await added;
  }

  return {
    delivery: {
      signal: controller.signal,
      get ended() {
        return ended;
      },
      async send(chunk) {
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
          await sendPiece(bytes.subarray(from, from + PIECE_BYTES));
        }
      },
      async finish() {
        await until(() => true);
        sendGathered();
        void add({ word: 'whole', taskId, fence, value: sent }, EMPTY);
        await until(() => taken === sent);
      },
      settled: () => lastWord({ word: 'settled', taskId, fence, value: null }),
      failed: (failure) => lastWord({ word: 'failed', taskId, fence, value: failure }),
      released: () => lastWord({ word: 'released', taskId, fence, value: null }),
      lost: () => lastWord({ word: 'lost', taskId, fence, value: null }),
    },
    hearTaken(bytes) {
      taken = Math.max(taken, Math.min(bytes, sent));
      wake?.();
    },
    end(reason) {
      if (ended !== undefined || isOver) return;
      ended = reason;
      controller.abort(new DeliveryEndedError(reason));
      wake?.();
    },
  };
}
