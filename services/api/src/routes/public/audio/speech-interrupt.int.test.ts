import { newTaskId } from '@mediagate/contracts';
import { openSpeech, openSpeechPort } from '@mediagate/speech';
import { forEachTest } from '@mediagate/testkit';
import { RequestScope } from '../../../http/request-scope';
import { SPEECH_LIMITS } from '../../../request-limits';
import { type AudioWritable, SpeechStream, type SpeechStreamDeps } from '../../../use-cases/speech/speech-stream';

const port = forEachTest(() => openSpeechPort({ host: '127.0.0.1', port: 0 }));
afterEach(() => port.close());

/** A speech whose task ends when the test says so. */
function startSpeech() {
  const waiting = port.expect();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const declined: number[] = [];
  const deps = {
    limits: SPEECH_LIMITS,
    callbacks: {},
    finish: () => finished.then(() => ({ won: true })),
    readTask: async () => ({ status: 'pending' }),
    declineCancel: async ({ fence }: { fence: number }) => void declined.push(fence),
  } as unknown as SpeechStreamDeps;
  const writable = { left: false, behind: false, onLeave: () => undefined } as Partial<AudioWritable> as AudioWritable;
  const caller = { accountId: 'acc', writable, timers: new RequestScope('request'), waiting };
  const stream = new SpeechStream(newTaskId(), caller, deps);
  const bring = (fence: number) =>
    openSpeech(waiting.listener, { fence, signal: new AbortController().signal }, () => undefined);
  return { stream, declined, bring, finish };
}

it('a worker that comes while its task is cancelled finds nobody, so that no vendor is asked for it', async () => {
  const { stream, bring, finish } = startSpeech();
  const over = expect(stream.done).rejects.toMatchObject({ reason: 'cancelled' });
  const cancelled = stream.cancel();
  expect(await bring(1)).toBeUndefined();
  finish();
  await cancelled;
  await over;
});

it('a cancellation that comes after the worker is declined, and the speech goes on', async () => {
  const { stream, declined, bring, finish } = startSpeech();
  const speech = await bring(1);
  await stream.cancel();
  expect(declined).toEqual([1]);
  expect(speech?.ended).toBeUndefined();
  const over = expect(stream.done).rejects.toMatchObject({ reason: 'timeout' });
  finish();
  await stream.interrupt('timeout');
  await over;
});
