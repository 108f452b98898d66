import { newTaskId } from '@mediagate/contracts';
import type { SpeechEnd, TakeAudio, WaitingCaller } from '@mediagate/speech';
import { RequestScope } from '../../../http/request-scope';
import { SPEECH_LIMITS } from '../../../request-limits';
import { CallerLeftError } from '../../../use-cases/caller-connection';
import { type AudioWritable, SpeechStream, type SpeechStreamDeps } from '../../../use-cases/speech/speech-stream';

const taskId = newTaskId();

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A speech that is brought by hand, to a caller who takes everything. */
function startSpeech(more: Partial<SpeechStreamDeps> = {}, caller: Partial<AudioWritable> = {}) {
  let bring: () => void = () => undefined;
  let settle: (kind?: SpeechEnd['kind']) => void = () => undefined;
  const waiting = {
    fence: 1,
    isClaimed: false,
    leave: () => undefined,
    admitNobody: () => undefined,
    close: () => settle('closed'),
    hear(take: TakeAudio) {
      bring = () => take(Buffer.from('sound'), () => undefined);
      return new Promise((resolve) => {
        settle = (kind = 'settled') => resolve({ kind, fence: 1 });
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
    ...caller,
  };
  const deps = { limits: SPEECH_LIMITS, ...more } as unknown as SpeechStreamDeps;
  const timers = new RequestScope('request');
  const { done } = new SpeechStream(taskId, { accountId: 'acc', writable, timers, waiting }, deps);
  return { timers, done, writable, bring: () => bring(), settle: () => settle() };
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

describe('a caller who was cut off for reading too slowly', () => {
  it('and whose worker then says nothing is let go once the task has ended', async () => {
    const caller = { left: false, behind: true, cut: () => Object.assign(writable, { left: true }) };
    const { done, bring, writable } = startSpeech(
      {
        readTask: async () => ({ status: 'failed', error: null }) as never,
        finish: async () => ({ won: false }) as never,
        callbacks: {} as never,
      },
      caller,
    );
    bring();
    const over = expect(done).rejects.toThrow(CallerLeftError);
    for (let ms = 0; ms <= SPEECH_LIMITS.speakMs; ms += SPEECH_LIMITS.lookMs) {
      bring();
      await jest.advanceTimersByTimeAsync(SPEECH_LIMITS.lookMs);
    }
    expect(writable.left).toBe(true);
    await jest.advanceTimersByTimeAsync(2 * SPEECH_LIMITS.lookMs);
    await over;
  });
});
