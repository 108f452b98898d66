import fc from 'fast-check';
import type { StreamEvent } from './incoming-stream';
import { StreamEndedError } from './outgoing-stream';
import { ReceivedStream } from './received-stream';
import { SentStream } from './sent-stream';
import { EMPTY, type Entry, type Gone } from './wire';

const FENCE = 7;

/** Both sides of a task with nothing between them but a stream that keeps its order, and messages that may be lost. */
function connect({ isLost }: { isLost: () => boolean }) {
  const over: string[] = [];
  const heard: ReceivedStream = new ReceivedStream('task_1', {
    acknowledge: () => deliver(hearTaken),
    reportGone: (_, kind) => deliver(() => hearGone(kind)),
    onEnd: () => over.push('heard'),
  });
  const hear = (entry: Entry, bytes: Buffer) => heard.receive({ workerId: 'w', entry, bytes });
  const sent = new SentStream({
    taskId: 'task_1',
    fence: FENCE,
    signal: new AbortController().signal,
    add: async (entry, bytes) => hear(entry, bytes),
    onEnd: () => over.push('sent'),
  });
  function deliver(message: () => void): void {
    if (!isLost()) setImmediate(message);
  }
  function hearTaken(): void {
    const taken = heard.acknowledgement();
    if (taken) sent.receiveAcknowledged(taken[2]);
  }
  const hearGone = (kind: Gone) => sent.end(kind === 'left' ? 'caller_left' : 'api_gone');
  heard.answer({ taskId: 'task_1', fence: FENCE, workerId: 'w' });
  return {
    heard,
    hear,
    over,
    delivery: sent,
    /** What goes out four times a second, and arrives in the end. */
    heartbeat(): void {
      if (heard.acknowledgement() === undefined) sent.end('caller_left');
      else hearTaken();
    },
  };
}

async function take(heard: ReceivedStream, onEvent: (event: StreamEvent) => void = () => undefined) {
  const events: StreamEvent[] = [];
  for await (const event of heard) {
    events.push(event);
    if (event.kind === 'chunk') heard.acknowledge(event.bytes.length);
    onEvent(event);
  }
  return events;
}

describe('messages that are lost', () => {
  it('delay an answer until the next heartbeat, and change nothing of it', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 20 });
    const losses = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(sizes, losses, async (parts, lost) => {
        const { heard, delivery, heartbeat } = connect({ isLost: () => lost.next().value });
        const taking = take(heard);
        const heartbeats = setInterval(heartbeat, 1);
        for (const [index, size] of parts.entries()) await delivery.send(Buffer.alloc(size, index));
        await delivery.finish();
        await delivery.settled();
        clearInterval(heartbeats);
        const events = await taking;
        const bytes = events.flatMap((event) => (event.kind === 'chunk' ? [event.bytes] : []));
        expect(Buffer.concat(bytes).equals(Buffer.concat(parts.map((size, index) => Buffer.alloc(size, index))))).toBe(
          true,
        );
        expect(events.at(-1)).toEqual({ kind: 'settled', fence: FENCE });
      }),
      { numRuns: 30 },
    );
  });

  it('do not keep a worker from learning that the caller left', async () => {
    const { heard, delivery, heartbeat } = connect({ isLost: () => true });
    await delivery.send(Buffer.from('a'));
    heard.leave();
    expect(delivery.ended).toBeUndefined();
    heartbeat();
    await expect(delivery.finish()).rejects.toThrow(new StreamEndedError('caller_left'));
  });
});

describe('a worker that does not keep to what was agreed', () => {
  const chunk = (value: number): Entry => ({ kind: 'chunk', taskId: 'task_1', fence: FENCE, value });

  it.each([
    ['leaves a part out', [[chunk(1), Buffer.alloc(10)]]],
    ['sends a part twice', [0, 0].map((number) => [chunk(number), Buffer.alloc(10)])],
    ['sends more than may be on its way', [0, 1, 2, 3, 4].map((number) => [chunk(number), Buffer.alloc(64 * 1024)])],
    ['takes for whole what is not', [[{ kind: 'eof', taskId: 'task_1', fence: FENCE, value: 10 }, EMPTY]]],
  ] as [string, [Entry, Buffer][]][])('and %s is not relied on', async (_, entries) => {
    const { heard, hear, over } = connect({ isLost: () => false });
    for (const [entry, bytes] of entries) hear(entry, bytes);
    const events = await take(heard);
    expect(events.at(-1)).toEqual({ kind: 'worker_lost', fence: FENCE });
    expect(over).toEqual(['heard']);
  });

  it('and says nothing of a task in two lists of what it has in flight has lost it', async () => {
    const { heard } = connect({ isLost: () => false });
    heard.receiveHeartbeat(false);
    heard.receiveHeartbeat(true);
    heard.receiveHeartbeat(false);
    expect(heard.workerId).toBe('w');
    heard.receiveHeartbeat(false);
    expect((await take(heard)).at(-1)).toEqual({ kind: 'worker_lost', fence: FENCE });
  });
});
