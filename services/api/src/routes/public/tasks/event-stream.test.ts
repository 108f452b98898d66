import { EventEmitter } from 'node:events';
import { newTaskId } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import { createMessages } from '@mediagate/languages';
import type { ReadRow } from '@mediagate/tasks';
import type { Call } from '../../../http/exchange';
import { TASK_EVENTS } from '../../../request-limits';
import { TaskWatch } from '../../../use-cases/task-watch';
import { sendEvents } from './event-stream';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const LOOK_MS = 300;

/** A caller who takes what is written, or lets it pile up. */
class Reader extends EventEmitter {
  destroyed = false;
  writableLength = 0;
  text = '';
  readonly #isReading: boolean;

  constructor({ isReading }: { isReading: boolean }) {
    super();
    this.#isReading = isReading;
  }

  setHeader(): void {}
  flushHeaders(): void {}

  write(text: string): void {
    this.text += text;
    if (!this.#isReading) this.writableLength += text.length;
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function follow(reader: Reader) {
  let row = {
    id: newTaskId(),
    status: 'processing',
    progress: 0,
    reservedNano: 0n,
    webhook: null,
    warnings: [],
    createdAt: new Date(),
  } as unknown as ReadRow;
  const logger = createLogger({ service: 'api', level: 'silent' });
  const taskWatch = new TaskWatch({
    findChanged: async ([seen]) => (seen?.progress === row.progress ? [] : [row]),
    logger,
    lookMs: LOOK_MS,
  });
  const messages = createMessages({ translator: async () => '', onFailure: () => undefined });
  const api = { taskWatch, tasks: { database: { readTask: async () => row } } as never, creditsPerUnit: 1, messages };
  const call = { request: { headers: {}, query: {} }, response: reader } as unknown as Call;
  const sent = sendEvents(call, row, api);
  const advance = (fields: Partial<ReadRow>) => {
    row = { ...row, ...fields };
  };
  return { sent, advance, taskWatch };
}

it('a stream of events says every 15 s that it lasts, and ends by itself after an hour', async () => {
  const reader = new Reader({ isReading: true });
  const { sent } = follow(reader);
  await jest.advanceTimersByTimeAsync(15_000 - LOOK_MS);
  expect(reader.text).not.toContain('\n:');
  await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
  expect(reader.text.match(/^:\n\n/gm)).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(45_000);
  expect(reader.text.match(/^:\n\n/gm)).toHaveLength(4);
  await jest.advanceTimersByTimeAsync(3_600_000);
  await sent;
  expect(jest.getTimerCount()).toBe(0);
});

it('a stream of events is cut off once its client has left 1 MiB unread', async () => {
  const reader = new Reader({ isReading: false });
  const { sent, advance } = follow(reader);
  const metadata = { note: 'x'.repeat(TASK_EVENTS.unreadMaxBytes / 4) };
  let states = 0;
  for (; states < 10 && !reader.destroyed; states += 1) {
    advance({ progress: states + 1, metadata });
    await jest.advanceTimersByTimeAsync(LOOK_MS);
  }
  expect(states).toBe(4);
  await sent;
  await jest.advanceTimersByTimeAsync(LOOK_MS);
  expect(jest.getTimerCount()).toBe(0);
});
