import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { callSpeech } from '../../../../test/speech-call';
import { type SpeechWorker, startSpeechWorker } from '../../../../test/speech-worker';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';

const KIB = 1024;
/** More than the window and all socket buffers of one connection hold. */
const MANY_BYTES = 32 * KIB * KIB;

let api: TestApi;
let worker: SpeechWorker;
let caller: Caller;

beforeAll(async () => {
  api = await startTestApi();
  worker = startSpeechWorker(api);
  caller = await api.createCaller();
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const speak = (body: Record<string, unknown>) => callSpeech(api, { key: caller.key, ...body });
const met = (text: string) => worker.meet(text);
const taskOf = (id: string) => api.database.task.findUniqueOrThrow({ where: { id } });

it('each byte goes out as it comes, and the end when the task is settled', async () => {
  const call = speak({ input: 'as it comes' });
  const { delivery, settle } = await met('as it comes');
  await delivery.send(Buffer.from('RIFF'));
  expect(await call.read(4)).toEqual(Buffer.from('RIFF'));
  const { status, headers, taskId } = await call.head;
  expect([status, headers['content-type'], headers['transfer-encoding']]).toEqual([200, 'audio/wav', 'chunked']);

  await delivery.send(Buffer.from('WAVE'));
  expect(await call.read(4)).toEqual(Buffer.from('WAVE'));
  await delivery.finish();
  expect(await taskOf(taskId)).toMatchObject({ status: 'pending', costNano: null, listener: expect.anything() });

  let ended = false;
  const rest = call.rest().finally(() => {
    ended = true;
  });
  await settle();
  expect(ended).toBe(false);
  delivery.end('settled');
  expect(await rest).toEqual(Buffer.alloc(0));
  // 11 characters at 15 a million.
  expect(await taskOf(taskId)).toMatchObject({
    status: 'completed',
    kind: 'audio',
    costNano: 165_000n,
    listener: null,
  });
  const { body } = await api.get(`/v1/tasks/${taskId}`, { key: caller.key });
  expect(body.data).toMatchObject({ id: taskId, kind: 'audio', status: 'completed', cost: 0.000165 });
  expect(body.data).not.toHaveProperty('result');
});

it.each([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
])('%s is %s, in any letter case', async (format, type) => {
  const input = `as ${format}`;
  const call = speak({ input, response_format: format.toUpperCase() });
  await worker.speak(input, Buffer.from(format));
  expect((await call.head).headers['content-type']).toBe(type);
  expect(await call.rest()).toEqual(Buffer.from(format));
});

it('is MP3 for OpenAI’s clients, who name no format', async () => {
  const call = callSpeech(api, { key: caller.key, path: '/openai/v1/audio/speech', input: 'of no format' });
  await worker.speak('of no format', Buffer.from('ID3'));
  const { headers } = await call.head;
  expect(headers['content-type']).toBe('audio/mpeg');
  expect(headers['ai-disclosure']).toBe('mode=machine-generated, model="ttsmodel-mini"');
  expect(await call.rest()).toEqual(Buffer.from('ID3'));
});

it('callers at the same time get each their own, whole', async () => {
  const spoken = Array.from({ length: 40 }, (_, index) => ({
    input: `one of many ${index}`,
    audio: randomBytes(300 * KIB),
  }));
  const calls = spoken.map(({ input }) => speak({ input }));
  const working = spoken.map(({ input, audio }) => worker.speak(input, audio.subarray(0, 999), audio.subarray(999)));
  const heard = await Promise.all(calls.map((call) => call.rest()));
  await Promise.all(working);
  expect(heard.map((audio, index) => audio.equals(spoken[index]?.audio as Buffer))).toEqual(spoken.map(() => true));
});

it('a caller who reads slowly holds the upstream back, and gets everything', async () => {
  const call = speak({ input: 'slowly' });
  const { delivery, settle } = await met('slowly');
  const part = randomBytes(64 * KIB);
  let sentBytes = 0;
  const sending = (async () => {
    while (sentBytes < MANY_BYTES) {
      await delivery.send(part);
      sentBytes += part.length;
    }
    await delivery.finish();
    await settle();
    delivery.end('settled');
  })();
  let heardBytes = 0;
  for (let reads = 0; reads < 4; reads += 1) {
    heardBytes += (await call.read(64 * KIB)).length;
    expect(sentBytes).toBeLessThan(MANY_BYTES / 2);
  }
  heardBytes += (await call.rest()).length;
  await sending;
  expect(heardBytes).toBe(MANY_BYTES);
});

it('an upstream that is silent for longer than the server lets others idle is waited for', async () => {
  const idleTimeoutMs = 500;
  const impatient = await startTestApi({ times: { idleTimeoutMs } });
  const itsWorker = startSpeechWorker(impatient);
  const { key } = await impatient.createCaller();
  const call = callSpeech(impatient, { key, input: 'a long pause' });
  const { delivery, settle } = await itsWorker.meet('a long pause');
  await delay(2 * idleTimeoutMs);
  await delivery.send(Buffer.from('one'));
  expect(await call.read(3)).toEqual(Buffer.from('one'));
  await delay(2 * idleTimeoutMs);
  await delivery.send(Buffer.from('two'));
  await delivery.finish();
  await settle();
  delivery.end('settled');
  expect(await call.rest()).toEqual(Buffer.from('two'));
  await itsWorker.stop();
  await impatient.stop();
});

it('a connection that is kept serves the next caller as any other', async () => {
  const first = api.post(
    '/v1/audio/speech',
    { model: 'TTSMODEL-MINI', voice: 'Nova', input: 'kept' },
    { key: caller.key },
  );
  await worker.speak('kept', Buffer.from('audio'));
  expect((await first).status).toBe(200);
  expect((await api.get('/v1/balance', { key: caller.key })).status).toBe(200);
});

it('the last word of the worker may be lost: a settled task is a whole answer', async () => {
  const call = speak({ input: 'the last word' });
  const { delivery, settle } = await met('the last word');
  await delivery.send(Buffer.from('audio'));
  await delivery.finish();
  await settle();
  delivery.breakOff();
  expect(await call.rest()).toEqual(Buffer.from('audio'));
});

it('a callback tells of the end, with no result', async () => {
  const call = speak({ input: 'a callback', webhook: 'https://example.com/hooks' });
  await worker.speak('a callback', Buffer.from('audio'));
  const { taskId } = await call.head;
  await call.rest();
  expect(await api.database.webhookDelivery.count({ where: { taskId } })).toBe(1);
});
