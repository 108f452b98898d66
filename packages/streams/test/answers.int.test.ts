import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { message, newTaskId } from '@mediagate/contracts';
import { type DirectAddress, StreamEndedError, WINDOW_BYTES } from '../src';
import { type BothSides, DIRECT, hearAll, never, openBothSides } from './both-sides';
import { openRedisView, type RedisView } from './redis-view';
import { until } from './until';

let sides: BothSides;
let view: RedisView;
let way: DirectAddress | undefined;
beforeEach(async () => {
  sides = await openBothSides({ direct: way });
  view = openRedisView(sides.prefix);
});
afterEach(async () => {
  await sides.close();
  expect(await view.keys()).toEqual([]);
  view.close();
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['through Redis', undefined],
  ['by connections of their own', DIRECT],
])('%s', (_way, address) => {
  beforeAll(() => {
    way = address;
  });

  describe('an answer', () => {
    it('comes as it was sent, byte for byte, for many tasks at once, and is settled before it ends', async () => {
      const answers = Array.from({ length: 40 }, async (_, index) => {
        const { listening, delivery } = await sides.meet();
        const heard = hearAll(listening);
        const parts = Array.from({ length: 30 }, (_part, number) =>
          randomBytes(1 + ((number * 7919 * (index + 1)) % 40_000)),
        );
        for (const part of parts) await delivery.send(part);
        await delivery.finish();
        await delivery.settled();
        const { bytes, kinds } = await heard;
        expect(kinds).toEqual(['claimed', 'chunk', 'settled']);
        expect(digest(bytes)).toBe(digest(Buffer.concat(parts)));
      });
      await Promise.all(answers);
    });

    it('may have parts of no bytes, which nobody is sent', async () => {
      const { listening, delivery } = await sides.meet();
      const heard = hearAll(listening);
      for (const part of ['', 'all', '', ' of it']) {
        await delivery.send(Buffer.from(part));
        // Each of them is a frame by itself.
        await nextTurn();
      }
      await delivery.finish();
      await delivery.settled();
      const { bytes, last } = await heard;
      expect([String(bytes), last]).toEqual(['all of it', { kind: 'settled', fence: 1 }]);
    });

    it('may come in one part that is larger than the window', async () => {
      const { listening, delivery } = await sides.meet();
      const heard = hearAll(listening);
      const whole = randomBytes(3 * WINDOW_BYTES + 17);
      await delivery.send(whole);
      await delivery.finish();
      await delivery.settled();
      expect(digest((await heard).bytes)).toBe(digest(whole));
    });

    it('waits for a caller who does not take it, and goes on when he does', async () => {
      const { listening, delivery } = await sides.meet();
      const [part, parts] = [Buffer.alloc(16_384, 7), 64];
      let sent = 0;
      const sending = (async () => {
        for (; sent < parts; sent += 1) await delivery.send(part);
        await delivery.finish();
        await delivery.settled();
      })();
      let bytes = 0;
      const events = listening[Symbol.asyncIterator]();
      await events.next();
      while (bytes < WINDOW_BYTES) {
        const { value } = await events.next();
        if (value?.kind === 'chunk') bytes += value.bytes.length;
      }
      // Heartbeats went by, and none of them let more through.
      const another = await sides.meet();
      const second = hearAll(another.listening);
      await another.delivery.send(Buffer.alloc(WINDOW_BYTES + 1));
      await another.delivery.finish();
      await another.delivery.settled();
      await second;
      expect(sent).toBe(WINDOW_BYTES / part.length);

      listening.acknowledge(WINDOW_BYTES);
      for (;;) {
        const { value, done } = await events.next();
        if (done || value.kind !== 'chunk') break;
        bytes += value.bytes.length;
        listening.acknowledge(value.bytes.length);
      }
      await sending;
      expect(bytes).toBe(parts * part.length);
    });

    it('is not finished before the caller has received the last byte', async () => {
      const { listening, delivery } = await sides.meet();
      const events = listening[Symbol.asyncIterator]();
      await delivery.send(Buffer.from('the end'));
      let isFinished = false;
      const finished = delivery.finish().then(() => {
        isFinished = true;
      });
      await events.next();
      await events.next();
      listening.acknowledge(6);
      // A whole other answer passes meanwhile on the same connections.
      const other = await sides.meet();
      const heard = hearAll(other.listening);
      await other.delivery.send(Buffer.alloc(10));
      await other.delivery.finish();
      await other.delivery.settled();
      await heard;
      expect(isFinished).toBe(false);
      listening.acknowledge(1);
      await finished;
      await delivery.settled();
    });

    it('leaves nothing behind in the stream', async () => {
      const { listening, delivery } = await sides.meet();
      const heard = hearAll(listening);
      for (let count = 0; count < 50; count += 1) await delivery.send(Buffer.alloc(40_000));
      await delivery.finish();
      await delivery.settled();
      await heard;
      await until(async () => (await view.entries()) === 0, 'the stream is empty');
    });

    it('that fails says so, in words for the caller and for HTTP', async () => {
      const { listening, delivery } = await sides.meet();
      const heard = hearAll(listening);
      await delivery.failed({ reason: 'no_upstream', message: message('model_unavailable_now') });
      await delivery.lost();
      expect((await heard).last).toEqual({
        kind: 'failed',
        fence: 1,
        reason: 'no_upstream',
        message: message('model_unavailable_now'),
      });
    });
  });

  describe('a task on its way from channel to channel', () => {
    it('is met again under its next fence, and the answer is the second one’s', async () => {
      const { taskId, listening, delivery } = await sides.meet(1);
      const heard = hearAll(listening);
      await delivery.released();
      const next = await sides.sender.open({ taskId, fence: 2, signal: never() });
      await next?.send(Buffer.from('second'));
      await delivery.send(Buffer.from('first'));
      await next?.finish();
      await next?.settled();
      const { bytes, kinds, last } = await heard;
      expect(String(bytes)).toBe('second');
      expect(kinds).toEqual(['claimed', 'chunk', 'settled']);
      expect(last).toMatchObject({ fence: 2 });
    });

    it('has no listener for another worker once bytes have come', async () => {
      const { taskId, listening, delivery } = await sides.meet(1);
      await delivery.send(Buffer.from('begun'));
      const events = listening[Symbol.asyncIterator]();
      await events.next();
      await events.next();
      expect(await sides.sender.open({ taskId, fence: 2, signal: never() })).toBeUndefined();
    });
  });

  describe('a caller who leaves', () => {
    it('before any worker came: the listener learns at once under which fence to end the task', async () => {
      const listening = sides.receiver.listen(newTaskId());
      listening.leave();
      expect((await hearAll(listening)).last).toEqual({ kind: 'abandoned', fence: 0 });
    });

    it('while a worker looks for another channel: likewise', async () => {
      const { taskId, listening, delivery } = await sides.meet(4);
      const heard = hearAll(listening);
      await delivery.released();
      listening.leave();
      expect((await heard).last).toEqual({ kind: 'abandoned', fence: 4 });
      expect(await sides.sender.open({ taskId, fence: 5, signal: never() })).toBeUndefined();
    });

    it('stops the worker, which has the last word', async () => {
      const { listening, delivery } = await sides.meet();
      const heard = hearAll(listening);
      const stopped = Promise.resolve(delivery.send(Buffer.alloc(WINDOW_BYTES * 8))).catch((error: Error) => error);
      const waiting = sides.meet();
      listening.leave();
      // The window may have let everything through before he left; the end of it cannot be missed.
      await Promise.race([stopped, waiting]);
      await expect(delivery.finish()).rejects.toThrow(new StreamEndedError('caller_left'));
      expect(delivery.signal.aborted).toBe(true);
      await delivery.settled();
      const { last } = await heard;
      expect(last).toEqual({ kind: 'settled', fence: 1 });
    });
  });

  describe('a listener', () => {
    it('that nobody is, is not waited for longer than the limit', async () => {
      const askedAt = performance.now();
      expect(await sides.sender.open({ taskId: newTaskId(), fence: 1, signal: never() })).toBeUndefined();
      expect(performance.now() - askedAt).toBeLessThan(2000);
    });

    it('that comes a moment after the question is met all the same', async () => {
      const taskId = newTaskId();
      const { heard } = await view.listen('meetings');
      const meeting = sides.sender.open({ taskId, fence: 1, signal: never() });
      await heard;
      sides.receiver.listen(taskId);
      expect(await meeting).toBeDefined();
    });

    it('that closes ends the delivery, which is not the caller’s doing', async () => {
      const { listening, delivery } = await sides.meet();
      await delivery.send(Buffer.from('unheard'));
      listening.close();
      await expect(delivery.finish()).rejects.toThrow(new StreamEndedError('api_gone'));
      expect((await hearAll(listening)).last).toMatchObject({ kind: 'claimed' });
    });

    it('that breaks off its loop is closed', async () => {
      const { listening, delivery } = await sides.meet();
      await delivery.send(Buffer.from('unheard'));
      for await (const _event of listening) break;
      await expect(delivery.finish()).rejects.toThrow(new StreamEndedError('api_gone'));
    });
  });
});

describe('a worker of another release', () => {
  const question = { fence: 3, workerId: 'of-another-release' };

  it('that names no version is of the first, and is met', async () => {
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const { heard } = await view.listen('worker:*');
    await view.publish('meetings', { ...question, taskId });
    expect(JSON.parse(String((await heard).at(-1)))).toMatchObject({ kind: 'here', taskId, fence: 3 });
    listening.close();
  });

  it('that answers in a version which the listener does not know is refused in words that it does, before the first byte', async () => {
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const { heard } = await view.listen('worker:*');
    await view.publish('meetings', { ...question, taskId, version: 2 });
    expect(JSON.parse(String((await heard).at(-1)))).toMatchObject({ kind: 'gone', taskId, fence: 3 });
    // Who waits ends the task at once, under the fence of that worker.
    expect((await hearAll(listening)).last).toEqual({ kind: 'worker_lost', fence: 3 });
  });
});
