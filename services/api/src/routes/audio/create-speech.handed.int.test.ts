import { createFinisher } from '@mediagate/billing';
import type { HandedOver, HandedTask } from '@mediagate/streams';
import { callSpeech } from '../../../test/speech-call';
import { streamTiming } from '../../../test/speech-timing';
import { type SpeechWorker, startSpeechWorker } from '../../../test/speech-worker';
import { type Caller, startTestApi, type TestApi } from '../../../test/test-api';

const CHANNEL = { channelId: 'speech', protocol: 'openai-speech' };
const OFFER = { leaseMs: 60_000, channels: { 'ttsmodel-mini': CHANNEL } };
const COST_NANO = 165_000n;

let api: TestApi;
let worker: SpeechWorker;
let caller: Caller;
let handed: HandedTask[];

beforeAll(async () => {
  api = await startTestApi({ times: { streams: streamTiming } });
  worker = startSpeechWorker(api);
  worker.sender.takeTasks({ offer: () => OFFER, take: (task, way) => void answer(task, way) });
  caller = await api.createCaller();
  // One that comes by the queue, after which its worker waits for the next on the same connection.
  const call = callSpeech(api, { key: caller.key, input: 'the first' });
  await worker.speak('the first', Buffer.from('RIFF'));
  await call.rest();
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});
beforeEach(() => {
  handed = [];
});

/** The worker's side of a speech that was handed to it. */
async function answer(task: HandedTask, { connection }: HandedOver): Promise<void> {
  handed.push(task);
  const { taskId, accountId, fence } = task;
  const delivery = await connection.open({ taskId, fence, signal: new AbortController().signal });
  await delivery?.send(Buffer.from('handed'));
  await delivery?.finish();
  await createFinisher(api.database)({
    taskId,
    accountId,
    fence,
    outcome: { kind: 'completed', costNano: COST_NANO },
    attempt: { id: task.attemptId, state: 'succeeded', usage: {}, requestIds: [] },
  });
  await delivery?.settled();
}

const taskOf = (id: string) => api.database.task.findUniqueOrThrow({ where: { id } });

it('a speech is booked with the claim and the intent of the worker that waits, which begins without a job', async () => {
  const call = callSpeech(api, { key: caller.key, input: '11 letters.' });
  expect(String(await call.rest())).toBe('handed');
  const { taskId } = await call.head;
  expect(handed).toMatchObject([{ taskId, fence: 1, channelId: 'speech', input: { input: '11 letters.' } }]);
  expect(await taskOf(taskId)).toMatchObject({ status: 'completed', fence: 1, attemptsMade: 1, costNano: COST_NANO });
  expect(await api.database.taskAttempt.findMany({ where: { taskId } })).toMatchObject([
    { id: handed[0]?.attemptId, ...CHANNEL, number: 1, state: 'succeeded' },
  ]);
});

it('one that cannot be paid is booked for nobody, and the next caller is given the worker', async () => {
  const poor = await api.createCaller({ balance: '0' });
  const refused = callSpeech(api, { key: poor.key, input: '11 letters.' });
  expect((await refused.error()).status).toBe(402);
  const call = callSpeech(api, { key: caller.key, input: '11 letters.' });
  expect(String(await call.rest())).toBe('handed');
});

it.each([
  ['of a key with a limit, which may wait for a slot', { input: 'by the queue' }, { maxConcurrent: 3 }],
  ['with more words than a message carries', { input: '"'.repeat(4000), instructions: '"'.repeat(4000) }, {}],
] as const)('one %s goes by the queue', async (_, body, limits) => {
  const { key } = await api.createCaller({ ...limits });
  const call = callSpeech(api, { key, ...body });
  await worker.speak(body.input, Buffer.from('WAVE'));
  expect(String(await call.rest())).toBe('WAVE');
  expect(handed).toEqual([]);
});
