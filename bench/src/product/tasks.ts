import { setTimeout as delay } from 'node:timers/promises';
import { createFinisher, createSubmitter } from '@mediagate/billing';
import { type JsonObject, newTaskId, type TaskId } from '@mediagate/contracts';
import { openQueues } from '@mediagate/queue';
import type { Stage } from '../stage';
import type { Account, Books } from './books';
import { MODEL, PRODUCT_REDIS, VIDEO_MODEL } from './services';

/** The body that a caller sends: about 390 bytes. */
export const SUBMISSION = {
  model: MODEL,
  prompt:
    'A lighthouse on a rocky coast at dusk, seen from a small boat, long exposure, warm light in the windows of the keeper’s ' +
    'house, gulls above the surf, and far out the lanterns of a fishing fleet under the first stars of a clear evening in late autumn',
  size: '1024x1024',
  quality: 'low',
  n: 1,
  output_format: 'png',
};
/** The cost of an image of `instruments/upstream.ts` at the rates below: more would be a loss, with an alarm and a row of its own. */
const COST_NANO = 6_180_000n;

const RATES = { image_output: 30n * 10n ** 9n, text_input: 5n * 10n ** 9n };
const DEADLINE_MS = 3_600_000;
const END_LIMIT_MS = 30_000;
const END_POLL_MS = 100;
/** Bookings under way at once; the database groups them. */
const AT_ONCE = 512;

export interface NewTasks {
  count: number;
  /** Images of each task; default: 1. */
  images?: number;
  /** Absent: no callback. */
  webhook?(index: number): string;
}

/** Books tasks as the API would, spread over the accounts in turns. */
export function submitTasks(books: Books, { count, images = 1, webhook }: NewTasks): Promise<TaskId[]> {
  const { model, ...rest } = SUBMISSION;
  return submitAll(books, count, (index) => ({
    model,
    input: { ...rest, n: images },
    rates: RATES,
    reservedNano: COST_NANO * BigInt(images),
    family: 'image',
    kind: 'image',
    operation: 'images.generations',
    queuesForSlot: true,
    ...(webhook === undefined ? {} : { webhook: webhook(index) }),
  }));
}

/** Books videos as the API would; `prompt` may carry directives to the simulator. */
export function submitVideos(books: Books, prompts: readonly string[]): Promise<TaskId[]> {
  return submitAll(books, prompts.length, (index) => ({
    model: VIDEO_MODEL,
    input: { ...VIDEO, prompt: prompts[index] ?? '' },
    rates: VIDEO_RATES,
    family: 'video',
    kind: 'video',
    operation: 'videos.generations',
    reservedNano: 600_000_000n,
  }));
}

type NewTask = Parameters<ReturnType<typeof createSubmitter>>[0];
type Ordered = Omit<
  NewTask,
  'taskId' | 'accountId' | 'keyId' | 'catalogueVersion' | 'warnings' | 'requestId' | 'deadlineMs'
>;

/** Books so many tasks, the accounts in turns. */
function submitAll(books: Books, count: number, order: (index: number) => Ordered): Promise<TaskId[]> {
  const submit = createSubmitter(books.database);
  return inTurns(count, async (index) => {
    const { id: accountId, key } = books.accounts[index % books.accounts.length] as Account;
    const taskId = newTaskId();
    const by = { accountId, keyId: key.id, requestId: `bench-${index}`, deadlineMs: DEADLINE_MS };
    const outcome = await submit({ ...order(index), ...by, taskId, catalogueVersion: 1, warnings: [] });
    if (outcome.kind !== 'accepted') throw new Error(`a task was not accepted: ${outcome.kind}`);
    return taskId;
  });
}

/** Hands booked tasks to the workers of their family. */
export async function enqueue(stage: Stage, family: 'image' | 'video', ids: readonly TaskId[]): Promise<void> {
  const queues = openQueues({ redisUrl: stage.servers.redisUrl(PRODUCT_REDIS) });
  await queues.enqueueTasks(
    family,
    ids.map((taskId) => ({ family, taskId, fence: 0 })),
  );
  await queues.close();
}

/** As the catalogue parses it. */
const VIDEO = { resolution: '480P', size: '16:9', duration: 2, audio: false, watermark: false };
const VIDEO_RATES = { 'per_second.480P': 300_000_000n };

/** Ends tasks as a worker would. Returns the deliveries that follow, of tasks with a webhook. */
export async function completeTasks(books: Books, ids: readonly TaskId[]): Promise<string[]> {
  const finish = createFinisher(books.database);
  const deliveries = await inTurns(ids.length, async (index) => {
    const outcome = { kind: 'completed', costNano: COST_NANO, result: resultOf(index) } as const;
    const taskId = ids[index] as TaskId;
    const { accountId } = await books.database.task.findUniqueOrThrow({ where: { id: taskId } });
    const { won, deliveryId } = await finish({ taskId, accountId, fence: 'any', outcome });
    if (!won) throw new Error('a task had ended before');
    return deliveryId;
  });
  return deliveries.filter((id) => id !== undefined);
}

/** As the image worker writes it. */
function resultOf(index: number): JsonObject {
  const expiresAt = 1_900_000_000 + index;
  const name = `${String(index).padStart(26, '0')}.png`;
  const query = `expires=${expiresAt}&signature=0123456789abcdefghijklmnopqrstuvwxyzABCDEFG`;
  return { images: [{ url: [`http://api.bench.test/v1/files/${name}?${query}`], expires_at: expiresAt }] };
}

async function inTurns<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results = new Array<T>(count);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, worker));
  return results;
}

/** Waits until no task is under way, as after the last answer of a load; how many still are when that takes too long. */
export async function untilEnded(books: Books, limitMs = END_LIMIT_MS): Promise<number> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const open = await books.count(`tasks where status not in ('completed', 'failed')`);
    if (open === 0 || Date.now() > giveUpAt) return open;
    await delay(END_POLL_MS);
  }
}
