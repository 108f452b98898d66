import type { Family, TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';

export interface ChannelSlotsDeps {
  database: Pick<Database, 'handOverSlots'>;
  enqueueTask(task: { family: Family; taskId: TaskId; fence: number; distinct: string }): Promise<void>;
}

/**
 * Slots of channels go to the tasks that have waited for one, in their turn. Whoever frees a slot hands it over at once, where this
 * process knows that any task waits: by its own, or by its last look at the overrides. A slot that nobody hands over is found by the
 * reconciler within a second.
 */
export class ChannelSlots {
  readonly #deps: ChannelSlotsDeps;
  #isAwaited = false;
  /** A hand-over that has not begun yet serves all that ask meanwhile: it counts what is free when it runs. */
  readonly #next = new Map<string, Promise<void>>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: ChannelSlotsDeps) {
    this.#deps = deps;
  }

  learn(isAwaited: boolean): void {
    this.#isAwaited = isAwaited;
  }

  /** @throws DatabaseUnavailableError */
  async freed(channel: Channel | undefined): Promise<void> {
    if (channel?.maxConcurrency !== undefined && this.#isAwaited) await this.handOver(channel);
  }

  /** @throws DatabaseUnavailableError */
  handOver(channel: Channel): Promise<void> {
    const { id } = channel;
    const next =
      this.#next.get(id) ??
      (this.#running.get(id) ?? Promise.resolve()).then(() => {
        this.#next.delete(id);
        const run = this.#handOver(channel);
        this.#running.set(
          id,
          run.catch(() => undefined),
        );
        return run;
      });
    this.#next.set(id, next);
    return next;
  }

  async #handOver({ id: channelId, models, isTest, maxConcurrency }: Channel): Promise<void> {
    const { database, enqueueTask } = this.#deps;
    const wanted = { channelId, models: [...models.keys()], isTest, maxConcurrency };
    const takers = await database.handOverSlots(wanted);
    // Their jobs of the step before may still be running, under the same fence.
    const distinct = `slot-${channelId}`;
    await Promise.all(takers.map(({ id: taskId, family, fence }) => enqueueTask({ taskId, family, fence, distinct })));
  }
}
