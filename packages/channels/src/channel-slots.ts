import type { TaskId } from '@mediagate/contracts';
import type { AnsweredAttempt, Database, SlotTaker } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';

export interface ChannelSlotsDeps {
  database: Pick<Database, 'handOverSlots'>;
  enqueueTask(task: SlotTaker & { taskId: TaskId; distinct: string }): Promise<void>;
}

/** A hand-over that has not begun: it counts what is free when it runs, and so serves all that ask until then. */
interface NextHandOver {
  /** No more attempts than the process has tasks at work. */
  answered: AnsweredAttempt[];
  run: Promise<void>;
}

/**
 * Slots of channels go to the tasks that have waited for one, in their turn. A process that frees a slot hands it over at once where
 * it knows that any task waits: by its own tasks, or by its last look at the overrides. The reconciler finds a slot that nobody hands
 * over within a second.
 */
export class ChannelSlots {
  readonly #deps: ChannelSlotsDeps;
  #isAwaited = false;
  /** The hand-overs that have not begun, by channel. */
  readonly #next = new Map<string, NextHandOver>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: ChannelSlotsDeps) {
    this.#deps = deps;
  }

  learn(isAwaited: boolean): void {
    this.#isAwaited = isAwaited;
  }

  /** @throws DatabaseUnavailableError */
  async freed(channel: Channel | undefined): Promise<void> {
    if (channel !== undefined && this.#isWorthwhile(channel)) await this.handOver(channel);
  }

  /**
   * The attempt's vendor is done, while this process still stores the result: the attempt's slot is handed over where any task waits.
   * False: none does, and the end of the attempt frees the slot.
   *
   * @throws DatabaseUnavailableError
   */
  async answered(channel: Channel, attempt: AnsweredAttempt): Promise<boolean> {
    if (!this.#isWorthwhile(channel)) return false;
    await this.handOver(channel, [attempt]);
    return true;
  }

  /** @throws DatabaseUnavailableError */
  handOver(channel: Channel, answered: readonly AnsweredAttempt[] = []): Promise<void> {
    const next = this.#next.get(channel.id) ?? this.#plan(channel);
    next.answered.push(...answered);
    return next.run;
  }

  #isWorthwhile({ maxConcurrency }: Channel): boolean {
    return maxConcurrency !== undefined && this.#isAwaited;
  }

  /** One hand-over of a channel at a time. */
  #plan(channel: Channel): NextHandOver {
    const { id } = channel;
    const answered: AnsweredAttempt[] = [];
    const run = (this.#running.get(id) ?? Promise.resolve()).then(() => {
      this.#next.delete(id);
      const running = this.#handOver(channel, answered);
      this.#running.set(
        id,
        running.catch(() => undefined),
      );
      return running;
    });
    const next = { answered, run };
    this.#next.set(id, next);
    return next;
  }

  async #handOver(
    { id: channelId, models, isTest, maxConcurrency }: Channel,
    answered: readonly AnsweredAttempt[],
  ): Promise<void> {
    const { database, enqueueTask } = this.#deps;
    const takers = await database.handOverSlots({
      channelId,
      models: [...models.keys()],
      isTest,
      maxConcurrency,
      answered,
    });
    // Their jobs of the step before may still be running, under the same fence.
    const distinct = `slot-${channelId}`;
    await Promise.all(takers.map((taker) => enqueueTask({ ...taker, taskId: taker.id, distinct })));
  }
}
