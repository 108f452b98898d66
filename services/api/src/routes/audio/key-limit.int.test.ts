import { audit } from '@mediagate/billing';
import { callSpeech } from '../../../test/speech-call';
import { streamTiming } from '../../../test/speech-timing';
import { type SpeechWorker, startSpeechWorker } from '../../../test/speech-worker';
import { type Caller, startTestApi, type TestApi } from '../../../test/test-api';

const WAIT_MS = 1500;

let api: TestApi;
let worker: SpeechWorker;
let caller: Caller;
beforeAll(async () => {
  api = await startTestApi({ times: { streams: streamTiming, slotWaitMs: WAIT_MS } });
  worker = startSpeechWorker(api);
  caller = await api.createCaller({ maxConcurrent: 1 });
});
afterAll(async () => {
  expect(await audit(api.database)).toEqual([]);
  await worker.stop();
  await api.stop();
});

const speak = (input: string) => callSpeech(api, { key: caller.key, input });

it('a key that speaks as often at once as it may: further speeches wait, unbooked, and in vain they are answered 429', async () => {
  const first = speak('the first');
  const speaker = await worker.meet('the first');
  const before = await api.countRows();
  const refused = speak('in vain');
  expect(await refused.error()).toMatchObject({ status: 429, error: { type: 'rate_limit_error' }, taskId: '' });
  expect((await refused.head).headers['retry-after']).toBe('5');
  expect(await api.countRows()).toEqual(before);

  const second = speak('the second');
  await speaker?.delivery.send(Buffer.from('sound'));
  await speaker?.delivery.finish();
  await speaker?.settle();
  await speaker?.delivery.settled();
  expect((await first.rest()).toString()).toBe('sound');
  await worker.speak('the second', Buffer.from('more sound'));
  expect((await second.rest()).toString()).toBe('more sound');
});
