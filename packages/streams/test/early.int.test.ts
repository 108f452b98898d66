import { once } from 'node:events';
import { connect } from 'node:net';
import { type ListenerAddress, newTaskId } from '@mediagate/contracts';
import { messageFrame } from '../src/frames';
import { type BothSides, DIRECT, hearAll, never, openBothSides } from './both-sides';
import { openRedisView, type RedisView } from './redis-view';

let sides: BothSides;
let view: RedisView;
beforeEach(async () => {
  sides = await openBothSides({ direct: DIRECT });
  view = openRedisView(sides.prefix);
});
afterEach(async () => {
  await sides.close();
  view.close();
});

function addressOf(taskId: string): ListenerAddress {
  const address = sides.receiver.addressOf(taskId);
  if (!address) throw new Error('no worker can connect');
  return address;
}

describe('a worker that connects before it has claimed', () => {
  it('brings the answer without asking anybody, under whatever fence the claim has', async () => {
    const asked = await view.listen('meetings');
    const taskId = newTaskId();
    const heard = hearAll(sides.receiver.listen(taskId));
    const early = sides.sender.connect(taskId, addressOf(taskId));
    const delivery = await sides.sender.open({ taskId, fence: 7, signal: never() }, early);
    await delivery?.send(Buffer.alloc(400_000));
    await delivery?.finish();
    await delivery?.settled();
    const { bytes, last } = await heard;
    expect([bytes.length, last]).toEqual([400_000, { kind: 'settled', fence: 7 }]);
    await view.publish('meetings', { taskId: 'of the test' });
    expect(String((await asked.heard).at(-1))).toContain('of the test');
  });

  it('and did not get the claim leaves the task to whoever did, who asks', async () => {
    const taskId = newTaskId();
    const heard = hearAll(sides.receiver.listen(taskId));
    const early = sides.sender.connect(taskId, addressOf(taskId));
    const other = sides.sender.connect(taskId, addressOf(taskId));
    const delivery = await sides.sender.open({ taskId, fence: 1, signal: never() }, other);
    early.close();
    await delivery?.send(Buffer.from('whole'));
    await delivery?.finish();
    await delivery?.settled();
    const { bytes, last } = await heard;
    expect([String(bytes), last]).toEqual(['whole', { kind: 'settled', fence: 1 }]);
  });

  it('carries one claim: the next one of the same job asks', async () => {
    const taskId = newTaskId();
    const heard = hearAll(sides.receiver.listen(taskId));
    const early = sides.sender.connect(taskId, addressOf(taskId));
    const first = await sides.sender.open({ taskId, fence: 1, signal: never() }, early);
    await first?.released();
    const second = await sides.sender.open({ taskId, fence: 2, signal: never() }, early);
    await second?.settled();
    expect((await heard).last).toEqual({ kind: 'settled', fence: 2 });
  });

  it('begins nothing for a caller who has left meanwhile', async () => {
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const early = sides.sender.connect(taskId, addressOf(taskId));
    const heard = hearAll(listening);
    listening.leave();
    expect((await heard).last).toEqual({ kind: 'abandoned', fence: 0 });
    expect(await sides.sender.open({ taskId, fence: 1, signal: never() }, early)).toBeUndefined();
  });

  it('stops when its caller leaves', async () => {
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const early = sides.sender.connect(taskId, addressOf(taskId));
    const delivery = await sides.sender.open({ taskId, fence: 1, signal: never() }, early);
    await delivery?.send(Buffer.from('first'));
    const [first] = await readOne(listening);
    expect(first).toEqual({ kind: 'claimed', fence: 1 });
    listening.leave();
    if (!delivery?.signal.aborted) await once(delivery?.signal as AbortSignal, 'abort');
    expect(delivery?.ended).toBe('caller_left');
    await delivery?.settled();
  });
});

it('an address is good for its own task, while somebody waits for it', async () => {
  const [taskId, other, unawaited] = [newTaskId(), newTaskId(), newTaskId()];
  const listening = sides.receiver.listen(taskId);
  sides.receiver.listen(other);
  const answers = await Promise.all([
    firstWord(addressOf(taskId), other),
    firstWord(addressOf(unawaited), unawaited),
    firstWord({ ...addressOf(taskId), token: 'of nobody' }, taskId),
  ]);
  expect(answers).toEqual(['', '', '']);
  expect(await firstWord(addressOf(taskId), taskId)).toContain('welcome');
  expect(await firstWord(addressOf(taskId), taskId)).toBe('');
  listening.close();
});

/** What a connection is answered first; nothing: it was closed. */
async function firstWord({ host, port, token }: ListenerAddress, taskId: string): Promise<string> {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  socket.write(messageFrame({ taskId, token }));
  const closed = once(socket, 'close').then(() => ['']);
  const [word] = (await Promise.race([once(socket, 'data'), closed])) as [unknown];
  socket.destroy();
  return String(word);
}

async function readOne<T>(events: AsyncIterable<T>): Promise<T[]> {
  const iterator = events[Symbol.asyncIterator]();
  return [(await iterator.next()).value as T];
}
