import { newTaskId } from '@mediagate/contracts';
import type { TakeAudio, WaitingCaller } from '@mediagate/speech';
import { RequestScope } from '../../http/request-scope';
import { SPEECH_LIMITS } from '../../request-limits';
import { type AudioWritable, SpeechStream, type SpeechStreamDeps } from '../../use-cases/speech/speech-stream';

const taskId = newTaskId();

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A speech that is brought by hand, to a caller who takes everything. */
function startSpeech() {
  let [bring, settle]: [() => void, () => void] = [() => undefined, () => undefined];
  const waiting = {
    fence: 1,
    isClaimed: false,
    leave: () => undefined,
    close: () => undefined,
    hear(take: TakeAudio) {
      bring = () => take(Buffer.from('sound'), () => undefined);
      return new Promise((resolve) => {
        settle = () => resolve({ kind: 'settled', fence: 1 });
      });
    },
  } as unknown as WaitingCaller;
  const writable: AudioWritable = {
    left: false,
    behind: false,
    onLeave: () => undefined,
    end: () => undefined,
    cut: () => undefined,
    breakOff: async () => undefined,
    send: (_bytes, taken) => taken(),
  };
  const deps = { limits: SPEECH_LIMITS } as unknown as SpeechStreamDeps;
  const timers = new RequestScope('request');
  const { done } = new SpeechStream(taskId, { accountId: 'acc', writable, timers, waiting }, deps);
  return { timers, done, bring: () => bring(), settle: () => settle() };
}

describe('the timers of a speech', () => {
  it('are one at a time, and gone with its end', async () => {
    const { done, bring, settle } = startSpeech();
    expect(jest.getTimerCount()).toBe(1);
    bring();
    bring();
    expect(jest.getTimerCount()).toBe(1);
    settle();
    await done;
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['waits', 0],
    ['is spoken', 1],
  ])('end with the request of a caller who is gone while it %s', async (_when, chunks) => {
    const { timers, bring } = startSpeech();
    for (let sent = 0; sent < chunks; sent += 1) bring();
    timers.close();
    expect(jest.getTimerCount()).toBe(0);
    bring();
    expect(jest.getTimerCount()).toBe(0);
  });
});
