import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { newTaskId } from '@mediagate/contracts';
import { freePort } from '@mediagate/local-servers';
import { DirectSender } from '../src/direct-sender';
import { messageFrame } from '../src/frames';
import type { Direct } from '../src/wire';
import { type BothSides, DIRECT, hearAll, never, openBothSides, PATIENT } from './both-sides';
import { openRedisView, type RedisView } from './redis-view';

let sides: BothSides;
let view: RedisView;
async function open(direct = DIRECT): Promise<void> {
  sides = await openBothSides({ direct });
  view = openRedisView(sides.prefix);
}
afterEach(async () => {
  await sides.close();
  view.close();
});

/** A caller waits, and a worker that is none of ours has asked for it: where it may connect. */
async function askedFor(taskId: string, fence = 1): Promise<Direct> {
  await view.stay('worker:*');
  // What else workers are sent has no address.
  const { heard } = await view.listen('worker:*', (message) => 'direct' in message);
  await view.publish('meetings', { taskId, fence, workerId: 'stranger' });
  return (JSON.parse(String((await heard).at(-1))) as { direct: Direct }).direct;
}

/** What comes back over a connection that sends this, until it is closed. */
async function sending({ host, port }: Direct, ...frames: Buffer[]): Promise<string> {
  const socket = connect({ host, port });
  socket.write(Buffer.concat(frames));
  return readToEnd(socket);
}

async function readToEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}

/** A connection that was welcomed with that ticket. */
async function welcomed({ host, port, token }: Direct, taskId: string): Promise<Socket> {
  const socket = connect({ host, port });
  socket.write(messageFrame({ taskId, token }));
  const closed = once(socket, 'close').then(() => ['closed']);
  const [welcome] = (await Promise.race([once(socket, 'data'), closed])) as [unknown];
  expect(String(welcome)).toContain('welcome');
  return socket;
}

it('nothing of an answer passes through Redis', async () => {
  await open();
  const { listening, delivery } = await sides.meet();
  const heard = hearAll(listening);
  for (let part = 0; part < 20; part += 1) await delivery.send(Buffer.alloc(40_000));
  expect(await view.entries()).toBeLessThanOrEqual(1);
  await delivery.finish();
  await delivery.settled();
  expect((await heard).bytes.length).toBe(800_000);
});

describe('the port', () => {
  it('closes who has no ticket, a wrong one, or says something else, without a word', async () => {
    await open();
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const direct = await askedFor(taskId);
    const other = newTaskId();
    sides.receiver.listen(other);
    const strangers = [
      sending(direct, messageFrame({ taskId, token: 'x'.repeat(direct.token.length) })),
      sending(direct, messageFrame({ taskId: other, token: direct.token })),
      sending(direct, messageFrame({ taskId: newTaskId(), token: direct.token })),
      sending(direct, messageFrame({ taskId, token: 'x'.repeat(600) })),
      sending(direct, Buffer.from([1, 0, 0, 0, 4]), Buffer.from('song')),
      sending(direct, Buffer.from('GET / HTTP/1.1\r\n\r\n')),
      sending(direct),
    ];
    expect(await Promise.all(strangers)).toEqual(strangers.map(() => ''));
    // The ticket is as good as before.
    const socket = await welcomed(direct, taskId);
    socket.destroy();
    listening.close();
  });

  it('takes a ticket once', async () => {
    await open();
    const taskId = newTaskId();
    sides.receiver.listen(taskId);
    const direct = await askedFor(taskId);
    const socket = await welcomed(direct, taskId);
    expect(await sending(direct, messageFrame({ taskId, token: direct.token }))).toBe('');
    socket.destroy();
  });

  it('takes no ticket of an earlier claim, nor of a caller who has gone', async () => {
    await open();
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const first = await askedFor(taskId, 1);
    const second = await askedFor(taskId, 2);
    expect(await sending(first, messageFrame({ taskId, token: first.token }))).toBe('');
    listening.close();
    expect(await sending(second, messageFrame({ taskId, token: second.token }))).toBe('');
  });

  it('gives up a worker that does not begin: the claim still stands for an answer through Redis', async () => {
    await open();
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const events = listening[Symbol.asyncIterator]();
    const socket = await welcomed(await askedFor(taskId), taskId);
    socket.destroy();
    await once(socket, 'close');
    expect((await events.next()).value).toEqual({ kind: 'claimed', fence: 1 });
    // A later claim is met as ever: the stream has not ended.
    const delivery = await sides.sender.open({ taskId, fence: 2, signal: never() });
    expect(delivery).toBeDefined();
    await delivery?.lost();
  });

  it('ends the answer of a worker that sends more than the window', async () => {
    await open();
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const socket = await welcomed(await askedFor(taskId), taskId);
    const audio = Buffer.alloc(512 * 1024);
    const head = Buffer.from([1, 0, 0, 0, 0]);
    head.writeUInt32BE(audio.length, 1);
    socket.write(Buffer.concat([messageFrame({ kind: 'begin' }), head, audio]));
    await readToEnd(socket);
    for await (const event of listening) if (event.kind === 'worker_lost') return;
    throw new Error('it went on');
  });
});

describe('an address that is not reached', () => {
  it('is left for Redis within a moment, and not tried again for some seconds', async () => {
    const port = await freePort();
    let connections = 0;
    // Accepts, and never says welcome.
    const silent = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await once(silent.listen(port, '127.0.0.2'), 'listening');
    await open({ host: '127.0.0.1', port, advertise: '127.0.0.2' });
    for (const text of ['first', 'second']) {
      const { listening, delivery } = await sides.meet();
      const heard = hearAll(listening);
      await delivery.send(Buffer.from(text));
      await delivery.finish();
      await delivery.settled();
      expect(String((await heard).bytes)).toBe(text);
    }
    expect(connections).toBe(1);
    silent.close();
  });

  it('is none that only refused a ticket, as that of a caller who has left', async () => {
    await open();
    const taskId = newTaskId();
    const listening = sides.receiver.listen(taskId);
    const direct = await askedFor(taskId);
    const sender = new DirectSender({ timing: PATIENT, onError: () => undefined });
    const claim = { taskId, fence: 1, signal: never() };
    expect(await sender.open({ ...direct, token: 'of nobody' }, claim)).toBeUndefined();
    expect(await sender.open(direct, claim)).toBeDefined();
    sender.close();
    expect((await hearAll(listening)).last).toEqual({ kind: 'worker_lost', fence: 1 });
  });

  it('because its port is in use: answers come through Redis', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    await open({ host: '127.0.0.1', port: (taken.address() as { port: number }).port });
    const { listening, delivery } = await sides.meet();
    const heard = hearAll(listening);
    await delivery.send(Buffer.from('by Redis'));
    await delivery.finish();
    await delivery.settled();
    expect(String((await heard).bytes)).toBe('by Redis');
    taken.close();
  });
});
