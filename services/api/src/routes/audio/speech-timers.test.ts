import { newTaskId } from '@mediagate/contracts';
import type { IncomingStream, StreamEvent } from '@mediagate/streams';
import { RequestScope } from '../../http/request-scope';
import { SPEECH_LIMITS } from '../../request-limits';
import { type AudioWritable, SpeechStream, type SpeechStreamDeps } from '../../use-cases/speech/speech-stream';

const taskId = newTaskId();

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A speech whose events are sent by hand, to a caller who takes everything. */
function startSpeech() {
  const events: StreamEvent[] = [];
  let resume: () => void = () => undefined;
  const listening: IncomingStream = {
    fence: 1,
    isClaimed: false,
    acknowledge: () => undefined,
    leave: () => undefined,
    close: () => undefined,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const event = events.shift();
        if (event) yield event;
        else await new Promise<void>((resolve) => (resume = resolve));
      }
    },
  };
  const writable: AudioWritable = {
    left: false,
    behind: false,
    onLeave: () => undefined,
    end: () => undefined,
    cut: () => undefined,
    breakOff: async () => undefined,
    send: (_bytes, taken) => taken(),
  };
  const deps = { streams: { listen: () => listening }, limits: SPEECH_LIMITS } as unknown as SpeechStreamDeps;
  const timers = new RequestScope('request');
  const { done } = new SpeechStream(taskId, { accountId: 'acc', writable, timers }, deps);
  const send = async (event: StreamEvent) => {
    events.push(event);
    resume();
    await jest.advanceTimersByTimeAsync(0);
  };
  return { timers, done, send };
}

const CHUNK: StreamEvent = { kind: 'chunk', fence: 1, bytes: Buffer.from('sound') };

describe('the timers of a speech', () => {
  it('are one at a time, and gone with its end', async () => {
    const { done, send } = startSpeech();
    expect(jest.getTimerCount()).toBe(1);
    await send(CHUNK);
    await send(CHUNK);
    expect(jest.getTimerCount()).toBe(1);
    await send({ kind: 'settled', fence: 1 });
    await done;
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['waits', 0],
    ['is spoken', 1],
  ])('end with the request of a caller who is gone while it %s', async (_when, chunks) => {
    const { timers, send } = startSpeech();
    for (let sent = 0; sent < chunks; sent += 1) await send(CHUNK);
    timers.close();
    expect(jest.getTimerCount()).toBe(0);
    await send(CHUNK);
    expect(jest.getTimerCount()).toBe(0);
  });
});
