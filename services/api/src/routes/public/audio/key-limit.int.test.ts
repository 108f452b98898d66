import { audit } from '@mediagate/billing';
import { callSpeech } from '../../../../test/speech-call';
import { type Speaker, type SpeechWorker, startSpeechWorker } from '../../../../test/speech-worker';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';

let api: TestApi;
let worker: SpeechWorker;
let caller: Caller;

async function start(slotWaitMs: number): Promise<void> {
  api = await startTestApi({ times: { slotWaitMs } });
  worker = startSpeechWorker(api);
  caller = await api.createCaller({ maxConcurrent: 1 });
}
afterEach(async () => {
  expect(await audit(api.database)).toEqual([]);
  await worker.stop();
  await api.stop();
});

const speak = (input: string) => callSpeech(api, { key: caller.key, input });

describe('a speech of a key that speaks as often at once as it may', () => {
  it('waits unbooked, and in vain it is answered 429', async () => {
    await start(300);
    const first = speak('the first');
    const speaker = await worker.meet('the first');
    const before = await api.countRows();
    const refused = speak('in vain');
    expect(await refused.error()).toMatchObject({ status: 429, error: { type: 'rate_limit_error' }, taskId: '' });
    expect((await refused.head).headers['retry-after']).toBe('5');
    expect(await api.countRows()).toEqual(before);
    await end(speaker);
    expect((await first.rest()).toString()).toBe('sound');
  });

  it('begins once the one before has ended', async () => {
    await start(120_000);
    const first = speak('the first');
    const speaker = await worker.meet('the first');
    const second = speak('the second');
    await end(speaker);
    expect((await first.rest()).toString()).toBe('sound');
    await worker.speak('the second', Buffer.from('more sound'));
    expect((await second.rest()).toString()).toBe('more sound');
  });
});

async function end(speaker: Speaker): Promise<void> {
  await speaker.delivery.send(Buffer.from('sound'));
  await speaker.delivery.finish();
  await speaker.settle();
  speaker.delivery.end('settled');
}
