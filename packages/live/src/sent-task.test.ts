import { newTaskId } from '@mediagate/contracts';
import { createSentTask } from './sent-task';
import type { Entry } from './wire';

const KIB = 1024;

/** A task whose entries arrive when they are let through. */
function sendTo() {
  const added: { entry: Entry; bytes: number }[] = [];
  const arrivals: (() => void)[] = [];
  const task = createSentTask({
    taskId: newTaskId(),
    fence: 1,
    signal: new AbortController().signal,
    add(entry, bytes) {
      added.push({ entry, bytes: bytes.length });
      return new Promise<void>((resolve) => arrivals.push(resolve));
    },
    over: () => undefined,
  });
  const sizes = () => added.map(({ bytes }) => bytes);
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const arrive = async () => {
    for (const arrived of arrivals.splice(0)) arrived();
    await turn();
  };
  return { ...task, sizes, words: () => added.map(({ entry }) => entry.word), turn, arrive };
}

it('the first bytes go at once, and those of one turn together', async () => {
  const { delivery, sizes, turn, arrive } = sendTo();
  await delivery.send(Buffer.alloc(10));
  expect(sizes()).toEqual([10]);
  await arrive();
  await delivery.send(Buffer.alloc(20));
  await delivery.send(Buffer.alloc(30));
  expect(sizes()).toEqual([10]);
  await turn();
  expect(sizes()).toEqual([10, 50]);
});

it('what comes while an entry is on its way waits for it to arrive, or until it is many bytes', async () => {
  const { delivery, sizes, turn, arrive } = sendTo();
  await delivery.send(Buffer.alloc(10));
  for (let part = 0; part < 3; part += 1) {
    await delivery.send(Buffer.alloc(20));
    await turn();
  }
  expect(sizes()).toEqual([10]);
  await arrive();
  expect(sizes()).toEqual([10, 60]);
  await delivery.send(Buffer.alloc(60 * KIB));
  await turn();
  expect(sizes()).toEqual([10, 60]);
  await delivery.send(Buffer.alloc(8 * KIB));
  expect(sizes()).toEqual([10, 60, 60 * KIB]);
  await delivery.send(Buffer.alloc(56 * KIB));
  expect(sizes()).toEqual([10, 60, 60 * KIB, 64 * KIB]);
});

it('the end takes with it what has gathered, and no more is sent after it', async () => {
  const { delivery, hearTaken, sizes, words, arrive } = sendTo();
  await delivery.send(Buffer.alloc(10));
  await delivery.send(Buffer.alloc(20));
  const finished = delivery.finish();
  await arrive();
  expect(words()).toEqual(['chunk', 'chunk', 'whole']);
  hearTaken(30);
  await finished;
  void delivery.settled();
  await arrive();
  expect(sizes()).toEqual([10, 20, 0, 0]);
  expect(words().at(-1)).toBe('settled');
});

it('what has gathered is not sent once its listener is gone', async () => {
  const { delivery, end, sizes, arrive } = sendTo();
  await delivery.send(Buffer.alloc(10));
  await delivery.send(Buffer.alloc(20));
  end('caller_left');
  await arrive();
  expect(sizes()).toEqual([10]);
});
