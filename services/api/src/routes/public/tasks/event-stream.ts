import { isTerminal, TASK_STATUSES } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import type { Api } from '../../../api';
import { beginStream } from '../../../http/answers/event-comments';
import type { Call } from '../../../http/exchange';
import { TASK_EVENTS } from '../../../request-limits';
import type { Follower } from '../../../use-cases/task-watch';
import { describeTask } from './get-task';
import { withCallback } from './wait-for-end';

type Followed = Pick<Api, 'tasks' | 'taskWatch' | 'creditsPerUnit' | 'messages'>;

/** Sends the task's states from `row` on. Resolves when it has ended, the caller leaves or does not read, or the process ends. */
export function sendEvents(call: Pick<Call, 'request' | 'response'>, row: TaskRow, api: Followed): Promise<void> {
  return new Promise((resolve, reject) => {
    new EventStream(call, { api, id: row.id, resolve, reject }).begin(row);
  });
}

interface EventStreamOptions {
  api: Followed;
  id: TaskRow['id'];
  resolve(): void;
  reject(error: unknown): void;
}

/** The events of one task on their way to one caller. Between them it keeps next to nothing: thousands wait in one process. */
class EventStream implements Follower {
  remindAt = performance.now() + TASK_EVENTS.commentMs;
  readonly #call: Pick<Call, 'request' | 'response'>;
  readonly #options: EventStreamOptions;
  readonly #endAt = performance.now() + TASK_EVENTS.totalMs;
  /** States that the caller is too slow for are skipped. */
  #next: TaskRow | undefined;
  #isSending = false;
  #isOver = false;

  constructor(call: Pick<Call, 'request' | 'response'>, options: EventStreamOptions) {
    this.#call = call;
    this.#options = options;
  }

  begin(row: TaskRow): void {
    const { response, request } = this.#call;
    response.once('close', this.close);
    beginStream(response);
    response.flushHeaders();
    if (request.headers['last-event-id'] !== eventId(row)) this.see(row);
    if (response.destroyed) this.close();
    else if (!isTerminal(row.status)) this.#options.api.taskWatch.follow(row, this);
  }

  see(row: TaskRow): void {
    this.#next = row;
    if (this.#isSending) return;
    this.#isSending = true;
    this.#send().catch((error: unknown) => this.#end(() => this.#options.reject(error)));
  }

  /** Sends a comment, which keeps proxies from closing the connection between states; ends the stream when its time is over. */
  remind(): void {
    if (performance.now() >= this.#endAt) {
      this.close();
      return;
    }
    this.remindAt += TASK_EVENTS.commentMs;
    this.#write(':\n\n');
  }

  readonly close = (): void => {
    this.#end(() => {
      this.#call.response.end();
      this.#options.resolve();
    });
  };

  async #send(): Promise<void> {
    const { api } = this.#options;
    while (this.#next !== undefined && !this.#isOver) {
      const state = this.#next;
      this.#next = undefined;
      const shown = await withCallback(state, api.tasks);
      const record = await describeTask(shown, this.#call.request.query['language'], api);
      if (this.#isOver) return;
      this.#write(`event: task\nid: ${eventId(state)}\ndata: ${JSON.stringify(record)}\n\n`);
      if (isTerminal(state.status)) this.close();
    }
    this.#isSending = false;
  }

  #write(text: string): void {
    const { response } = this.#call;
    response.write(text);
    // Nobody reads it.
    if (response.writableLength > TASK_EVENTS.unreadMaxBytes) response.destroy();
  }

  #end(settle: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.api.taskWatch.unfollow(this.#options.id, this);
    this.#call.response.off('close', this.close);
    settle();
  }
}

const STATUS_STEP = 1000;
const AWAITS_CALLER_STEP = 500;

export function eventId({ status, progress, awaitsCaller }: TaskRow): string {
  const rank = (TASK_STATUSES.indexOf(status) + 1) * STATUS_STEP;
  return String(rank + (awaitsCaller ? AWAITS_CALLER_STEP : 0) + progress);
}
