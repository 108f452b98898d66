import { inEnglish, message } from '@mediagate/contracts';
import type { StreamEvent } from './incoming-stream';
import { ReceivedStream } from './received-stream';
import { SentStream } from './sent-stream';
import { EMPTY, type Entry } from './wire';

const FENCE = 1;
const FAILURE = {
  reason: 'bad_media',
  message: message('server_status', { status: 404 }),
  param: 'image_url',
} as const;

async function sent(): Promise<unknown> {
  const entries: Entry[] = [];
  const stream = new SentStream({
    taskId: 'task_1',
    fence: FENCE,
    signal: new AbortController().signal,
    async add(entry) {
      entries.push(entry);
    },
    onEnd: () => undefined,
  });
  await stream.failed(FAILURE);
  return JSON.parse(JSON.stringify(entries[0]));
}

async function received(entry: unknown): Promise<StreamEvent | undefined> {
  const stream = new ReceivedStream('task_1', {
    acknowledge: () => undefined,
    reportGone: () => undefined,
    onEnd: () => undefined,
  });
  stream.answer({ taskId: 'task_1', fence: FENCE, workerId: 'worker' });
  stream.receive({ workerId: 'worker', entry: entry as Entry, bytes: EMPTY });
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events.at(-1);
}

it('a failure arrives as it was sent', async () => {
  expect(await received(await sent())).toEqual({ kind: 'failed', fence: FENCE, ...FAILURE });
});

it('a failure has its words in English, too, which is all that a process of version 0.1 knows', async () => {
  expect(await sent()).toMatchObject({ value: { message: inEnglish(FAILURE.message) } });
});

it('the words of a worker of version 0.1 are kept, and its unknown reason is an internal error', async () => {
  const value = { reason: 'unheard_of', message: 'The server answered 404.' };
  const event = await received({ kind: 'failed', taskId: 'task_1', fence: FENCE, value });
  expect(event).toMatchObject({ reason: 'internal_error', message: message('foreign', { text: value.message }) });
});
