import { type Changes, createChanges } from '../changes';

export interface ReceivedCallback {
  /** Real milliseconds since the Unix epoch. */
  at: number;
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** The raw body as UTF-8 text, before any parsing: what a signature is computed over. */
  body: string;
  /** The status that it was answered with. */
  answer: number;
}

export interface CallbackReceiver {
  /** Statuses used one after the other; the last one stays. An empty script is always 200. */
  setScript(token: string, answers: number[]): void;
  /** Records a callback and gives the status to answer it with. */
  receive(token: string, callback: Omit<ReceivedCallback, 'answer'>): number;
  received(token: string): ReceivedCallback[];
  changes: Changes;
  reset(): void;
}

interface Box {
  script: number[];
  /** How many answers of the script have been given. */
  answered: number;
  callbacks: ReceivedCallback[];
}

const MAX_BOXES = 500;
const MAX_CALLBACKS_PER_BOX = 500;

/** Receives callbacks for tests, a box for each token; the oldest boxes and callbacks go when the bounds are reached. */
export function createCallbackReceiver(): CallbackReceiver {
  const boxes = new Map<string, Box>();
  const changes = createChanges();

  const boxOf = (token: string): Box => {
    const known = boxes.get(token);
    if (known) return known;
    const box: Box = { script: [], answered: 0, callbacks: [] };
    boxes.set(token, box);
    const oldest = boxes.keys().next().value;
    if (boxes.size > MAX_BOXES && oldest !== undefined) boxes.delete(oldest);
    return box;
  };

  return {
    changes,
    setScript(token, answers) {
      const box = boxOf(token);
      box.script = answers;
      box.answered = 0;
    },
    receive(token, callback) {
      const box = boxOf(token);
      const answer = box.script[Math.min(box.answered, box.script.length - 1)] ?? 200;
      box.answered += 1;
      box.callbacks.push({ ...callback, answer });
      if (box.callbacks.length > MAX_CALLBACKS_PER_BOX) box.callbacks.shift();
      changes.notify();
      return answer;
    },
    received: (token) => boxes.get(token)?.callbacks ?? [],
    reset() {
      boxes.clear();
      changes.notify();
    },
  };
}
