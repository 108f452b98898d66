import { RepeatedLook } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { QueuedTask } from '@mediagate/queue';
import type { CalledBack } from './callback-tokens';

export interface HastenChecksDeps {
  database: Pick<Database, 'hastenChecks'>;
  enqueueTask(task: QueuedTask): Promise<void>;
  onFailed(error: unknown): void;
}

/** Pause between two early checks of a task: in between, callbacks by its vendor, or by whoever has its token, change nothing. */
const EVERY_MS = 5_000;
/** Between two statements, however many callbacks come: five a second in each process. */
const LOOK_EVERY_MS = 200;
const MAX_TOGETHER = 100;
/** Jobs that wait for a look; beyond them a callback is dropped, and its job is checked at its time. */
const MAX_WAITING = 1_000;

/**
 * Has the jobs of attempts checked early whose vendors called back. Nobody waits for it, and nothing depends on it: what comes
 * to nothing here is found by the next check. A job that is reported again and again takes one place among those that wait; a channel
 * whose vendor reports very many takes half of what the others leave, and channels take turns.
 */
export class CheckHastener {
  readonly #deps: HastenChecksDeps;
  readonly #looks: RepeatedLook;
  /** By channel, the one whose turn is next first. */
  readonly #waiting = new Map<string, Set<string>>();
  #count = 0;

  constructor(deps: HastenChecksDeps) {
    this.#deps = deps;
    this.#looks = new RepeatedLook({
      everyMs: LOOK_EVERY_MS,
      firstAtOnce: true,
      unref: true,
      isWanted: () => this.#count > 0,
      look: () => this.#look(),
      onError: deps.onFailed,
    });
  }

  hasten({ attemptId, channelTag }: CalledBack): void {
    const ofChannel = this.#waiting.get(channelTag) ?? new Set();
    if (ofChannel.has(attemptId) || ofChannel.size >= (MAX_WAITING - this.#count + ofChannel.size) / 2) return;
    ofChannel.add(attemptId);
    this.#waiting.set(channelTag, ofChannel);
    this.#count += 1;
    this.#looks.start();
  }

  /** Nothing is hastened any more. */
  stop(): void {
    this.#looks.stop();
  }

  /** Attempts for which a look fails wait for the next one. */
  async #look(): Promise<void> {
    const { database, enqueueTask } = this.#deps;
    const together = this.#takeTurns();
    const attemptIds = together.map(({ attemptId }) => attemptId);
    const due = await database.hastenChecks(attemptIds, EVERY_MS);
    // The job of the check as it was planned has the same fence.
    await Promise.all(due.map(({ id: taskId, ...task }) => enqueueTask({ ...task, taskId, distinct: 'callback' })));
    for (const each of together) this.#forget(each);
  }

  /** One of each channel after the other, from those that have waited longest. */
  #takeTurns(): CalledBack[] {
    const lines = [...this.#waiting].map(([channelTag, ids]) => ({ channelTag, ids: ids.values() }));
    const together: CalledBack[] = [];
    let left = Math.min(MAX_TOGETHER, this.#count);
    for (let turn = 0; left > 0; turn = (turn + 1) % lines.length) {
      const line = lines[turn];
      const next = line?.ids.next();
      if (!line || !next || next.done) continue;
      together.push({ attemptId: next.value, channelTag: line.channelTag });
      left -= 1;
    }
    return together;
  }

  #forget({ attemptId, channelTag }: CalledBack): void {
    const ofChannel = this.#waiting.get(channelTag);
    if (!ofChannel?.delete(attemptId)) return;
    this.#count -= 1;
    // The channel goes to the end of the turn.
    this.#waiting.delete(channelTag);
    if (ofChannel.size > 0) this.#waiting.set(channelTag, ofChannel);
  }
}
