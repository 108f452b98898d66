import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { MESSAGES } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import type { OutgoingSpeech } from '@mediagate/speech';
import { until } from '@mediagate/testkit';
import { callSpeech, type SpeechCall } from '../../../../test/speech-call';
import { type SpeechWorker, startSpeechWorker } from '../../../../test/speech-worker';
import { type Caller, startTestApi, type TestApi, type TestApiOptions } from '../../../../test/test-api';

const KIB = 1024;
/** More than the window and all socket buffers of one connection hold. */
const MANY_BYTES = 32 * KIB * KIB;

const CALLER_LEFT = {
  status: 'failed',
  costNano: 0n,
  error: expect.objectContaining({ message: MESSAGES.caller_left }),
};

const logger = createLogger({ service: 'api', level: 'silent' });
let api: TestApi;
let worker: SpeechWorker | undefined;
let caller: Caller;

async function start(options: TestApiOptions = {}): Promise<void> {
  api = await startTestApi({ logger, ...options });
  caller = await api.createCaller();
  worker = undefined;
}
afterEach(async () => {
  for (const call of calls.splice(0)) call.hangUp();
  await worker?.stop();
  await api.stop();
});

/** All calls of a test: one that reads no further does not hear that the application has gone. */
const calls: SpeechCall[] = [];
function speak(body: Record<string, unknown>): SpeechCall {
  const call = callSpeech(api, { key: caller.key, ...body });
  calls.push(call);
  return call;
}

async function met(text: string) {
  worker ??= startSpeechWorker(api);
  return await worker.meet(text);
}

/** The reason with which the listener's end was reported to the worker. */
async function endOf(delivery: OutgoingSpeech) {
  if (!delivery.signal.aborted) await once(delivery.signal, 'abort');
  return delivery.ended;
}

/** The account's one task, once it has ended. */
const ended = () =>
  until(async () => {
    const [task] = await api.database.task.findMany({ where: { accountId: caller.accountId } });
    return task?.completedAt ? task : undefined;
  }, 'the task has ended');

/** The task is in the books, and its caller waits. */
const submitted = () =>
  until(async () => (await api.database.task.count({ where: { accountId: caller.accountId } })) > 0, 'it is booked');

describe('a caller who hangs up', () => {
  it('before a worker has the task: it is refunded at once, and no worker finds anybody', async () => {
    await start();
    const call = speak({ input: 'nobody took it' });
    await submitted();
    call.hangUp();
    expect(await ended()).toMatchObject({ ...CALLER_LEFT, fence: 0 });
  });

  it('before the first byte: the worker is notified, and ends the task', async () => {
    await start();
    const call = speak({ input: 'before the first byte' });
    const { delivery, refund } = await met('before the first byte');
    call.hangUp();
    expect(await endOf(delivery)).toBe('caller_left');
    expect(await refund('caller_left')).toBe(true);
    delivery.end('failed');
    expect(await ended()).toMatchObject(CALLER_LEFT);
  });

  it('in the middle: the worker is notified, and settles', async () => {
    await start();
    const call = speak({ input: 'in the middle' });
    const { delivery, settle } = await met('in the middle');
    await delivery.send(randomBytes(KIB));
    await call.read(KIB);
    call.hangUp();
    expect(await endOf(delivery)).toBe('caller_left');
    expect(await settle()).toBe(true);
    delivery.end('settled');
    expect(await ended()).toMatchObject({ status: 'completed', costNano: 195_000n });
  });

  it('and whose worker is gone as well: the task is refunded here', async () => {
    await start();
    const call = speak({ input: 'both are gone' });
    const { delivery, settle } = await met('both are gone');
    await delivery.send(randomBytes(KIB));
    await call.read(KIB);
    call.hangUp();
    expect(await endOf(delivery)).toBe('caller_left');
    delivery.breakOff();
    expect(await ended()).toMatchObject(CALLER_LEFT);
    expect(await settle()).toBe(false);
  });

  it('by not reading on for the idle time: is cut off, and has left', async () => {
    // Until the worker meets the call, the call itself may not be idle for so long.
    await start({ times: { idleTimeoutMs: 5000 } });
    const call = speak({ input: 'reads no more' });
    const { delivery, settle } = await met('reads no more');
    const sending = (async () => {
      for (let sent = 0; sent < MANY_BYTES; sent += 64 * KIB) await delivery.send(Buffer.alloc(64 * KIB));
    })();
    await expect(sending).rejects.toMatchObject({ end: 'caller_left' });
    expect(await settle()).toBe(true);
    delivery.end('settled');
    await expect(call.rest()).rejects.toThrow('aborted');
  });

  it('by reading too slowly for the whole of the time: is cut off, and has left', async () => {
    // The buffers are full within 5 s on any machine; before that nobody reads too slowly.
    await start({ times: { speech: { speakMs: 5000 } } });
    const call = speak({ input: 'reads slowly' });
    const { delivery, settle } = await met('reads slowly');
    const sending = (async () => {
      for (let sent = 0; sent < MANY_BYTES; sent += 64 * KIB) await delivery.send(Buffer.alloc(64 * KIB));
    })();
    await call.read(KIB);
    await expect(sending).rejects.toMatchObject({ end: 'caller_left' });
    expect(await settle()).toBe(true);
    delivery.end('settled');
  });
});

describe('a worker that falls silent', () => {
  it('is given up once its task was ended for it: the answer is broken off, and refunded', async () => {
    await start({ times: { speech: { lookMs: 100 } } });
    const call = speak({ input: 'silent' });
    const { delivery, refund, settle } = await met('silent');
    await delivery.send(randomBytes(KIB));
    await call.read(KIB);
    // Another worker or the reconciler does this when the lease has lapsed.
    await refund('outcome_unknown');
    await expect(call.rest()).rejects.toThrow('aborted');
    expect(await endOf(delivery)).toBe('api_gone');
    expect(await ended()).toMatchObject({ status: 'failed', costNano: 0n });
    expect(await settle()).toBe(false);
  });
});

describe('a worker that dies', () => {
  it('before it has claimed the task: it is enqueued for others while the caller waits', async () => {
    await start({ times: { speech: { lookMs: 100 } } });
    const enqueued = new EventEmitter();
    const doomed = api.queues.consumeTasks('tts', async () => void enqueued.emit('enqueued'), { concurrency: 1 });
    const call = speak({ input: 'enqueued again' });
    await once(enqueued, 'enqueued');
    await doomed.close();
    const { delivery, settle } = await met('enqueued again');
    await delivery.send(Buffer.from('audio'));
    await delivery.finish();
    await settle();
    delivery.end('settled');
    expect(await call.rest()).toEqual(Buffer.from('audio'));
  });
});

describe('time', () => {
  it('nobody takes the task: 503 when the time to the first byte is over, and refunded', async () => {
    await start({ times: { speech: { firstByteMs: 200, lookMs: 50 } } });
    const answer = await speak({ input: 'nobody' }).error();
    expect(answer).toMatchObject({ status: 503, error: { message: MESSAGES.no_upstream } });
    expect(await ended()).toMatchObject({ id: answer.taskId, status: 'failed', costNano: 0n });
  });

  it('a worker has the task and no byte comes: 502, refunded, and the worker stops', async () => {
    await start({ times: { speech: { firstByteMs: 5000, lookMs: 50 } } });
    const call = speak({ input: 'no byte' });
    const { delivery, settle } = await met('no byte');
    expect(await call.error()).toMatchObject({ status: 502, error: { message: 'Task timeout' } });
    expect(await endOf(delivery)).toBe('api_gone');
    expect(await settle()).toBe(false);
  });

  it('an upstream that never comes to its end: broken off and refunded', async () => {
    await start({ times: { speech: { speakMs: 5000 } } });
    const call = speak({ input: 'no end' });
    const { delivery } = await met('no end');
    await delivery.send(randomBytes(KIB));
    await expect(call.rest()).rejects.toThrow('aborted');
    expect(await ended()).toMatchObject({ status: 'failed', costNano: 0n });
  });
});

describe('room', () => {
  it('more callers than may wait are 503 with Retry-After, and cost nothing', async () => {
    await start({ times: { speech: { slots: 1 } } });
    const first = speak({ input: 'the one place' });
    await submitted();
    const before = await api.countRows();
    const second = speak({ input: 'no place' });
    expect(await second.error()).toMatchObject({ status: 503, taskId: '' });
    expect((await second.head).headers['retry-after']).toBe('2');
    expect(await api.countRows()).toEqual(before);

    const { delivery, settle } = await met('the one place');
    await delivery.send(Buffer.from('audio'));
    await delivery.finish();
    await settle();
    delivery.end('settled');
    await first.rest();
    const third = speak({ input: 'a place again' });
    await worker?.speak('a place again', Buffer.from('audio'));
    expect(await third.rest()).toEqual(Buffer.from('audio'));
  });

  it('without Redis nothing is reserved', async () => {
    await start({ redisUrl: 'redis://127.0.0.1:1' });
    const before = await api.countRows();
    expect(await speak({ input: 'no Redis' }).error()).toMatchObject({ status: 503 });
    expect(await api.countRows()).toEqual(before);
  });
});

describe('a shutdown', () => {
  it('lets those in flight finish, and takes no more', async () => {
    await start();
    const call = speak({ input: 'in flight' });
    const { delivery, settle } = await met('in flight');
    await delivery.send(Buffer.from('one'));
    const drained = api.speeches.drain();
    expect(await speak({ input: 'too late' }).error()).toMatchObject({ status: 503 });
    await delivery.send(Buffer.from('two'));
    await delivery.finish();
    await settle();
    delivery.end('settled');
    expect(await call.rest()).toEqual(Buffer.from('onetwo'));
    await drained;
  });

  it('breaks off what is left when the time is up, and refunds it', async () => {
    await start({ times: { speech: { drainMs: 100 } } });
    const [spoken, silent] = [speak({ input: 'spoken' }), speak({ input: 'silent' })];
    const [first, second] = [await met('spoken'), await met('silent')];
    await first.delivery.send(Buffer.from('one'));
    await spoken.read(3);
    await api.speeches.drain();
    await expect(spoken.rest()).rejects.toThrow('aborted');
    expect(await silent.error()).toMatchObject({ status: 500 });
    expect(await first.settle()).toBe(false);
    expect(await second.settle()).toBe(false);
    const { body } = await api.get('/v1/user/balance', { key: caller.key });
    expect(body).toMatchObject({ used_balance: 0, remain_balance: 1000 });
  });
});
