import { newTaskId } from '@mediagate/contracts';
import { SentStream } from './sent-stream';
import type { Entry } from './wire';

const KIB = 1024;

/** A task whose entries arrive when they are let through. */
function sendTo() {
  const added: { entry: Entry; bytes: number }[] = [];
  const arrivals: (() => void)[] = [];
  const stream = new SentStream({
    taskId: newTaskId(),
    fence: 1,
    signal: new AbortController().signal,
    add(entry, bytes) {
      added.push({ entry, bytes: bytes.length });
      return new Promise<void>((resolve) => arrivals.push(resolve));
    },
    onEnd: () => undefined,
  });
  const sizes = () => added.map(({ bytes }) => bytes);
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const arrive = async () => {
    for (const arrived of arrivals.splice(0)) arrived();
    await turn();
  };
  return { stream, sizes, kinds: () => added.map(({ entry }) => entry.kind), turn, arrive };
}

it('the first bytes go at once, and those of one turn together', async () => {
  const { stream, sizes, turn, arrive } = sendTo();
  await stream.send(Buffer.alloc(10));
  expect(sizes()).toEqual([10]);
  await arrive();
  await stream.send(Buffer.alloc(20));
  await stream.send(Buffer.alloc(30));
  expect(sizes()).toEqual([10]);
  await turn();
  expect(sizes()).toEqual([10, 50]);
});

it('what comes while an entry is on its way waits for it to arrive, or until it is many bytes', async () => {
  const { stream, sizes, turn, arrive } = sendTo();
  await stream.send(Buffer.alloc(10));
  for (let part = 0; part < 3; part += 1) {
    await stream.send(Buffer.alloc(20));
    await turn();
  }
  expect(sizes()).toEqual([10]);
  await arrive();
  expect(sizes()).toEqual([10, 60]);
  await stream.send(Buffer.alloc(60 * KIB));
  await turn();
  expect(sizes()).toEqual([10, 60]);
  await stream.send(Buffer.alloc(8 * KIB));
  expect(sizes()).toEqual([10, 60, 60 * KIB]);
  await stream.send(Buffer.alloc(56 * KIB));
  expect(sizes()).toEqual([10, 60, 60 * KIB, 64 * KIB]);
});

it('the end takes with it what has gathered, and no more is sent after it', async () => {
  const { stream, sizes, kinds, arrive } = sendTo();
  await stream.send(Buffer.alloc(10));
  await stream.send(Buffer.alloc(20));
  const finished = stream.finish();
  await arrive();
  expect(kinds()).toEqual(['chunk', 'chunk', 'eof']);
  stream.receiveAcknowledged(30);
  await finished;
  void stream.settled();
  await arrive();
  expect(sizes()).toEqual([10, 20, 0, 0]);
  expect(kinds().at(-1)).toBe('settled');
});

it('what has gathered is not sent once its listener is gone', async () => {
  const { stream, sizes, arrive } = sendTo();
  await stream.send(Buffer.alloc(10));
  await stream.send(Buffer.alloc(20));
  stream.end('caller_left');
  await arrive();
  expect(sizes()).toEqual([10]);
});
