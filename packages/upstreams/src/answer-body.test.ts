import { AnswerBody } from './answer-body';

const BUFFERED_BYTES = 64 * 1024;

function open() {
  const seen = { demands: 0, left: 0 };
  const body = new AnswerBody({
    resume() {
      seen.demands += 1;
    },
    leave() {
      seen.left += 1;
    },
  });
  const push = (...texts: string[]) => texts.map((text) => body.push(Buffer.from(text)));
  return { body, push, seen };
}

const nothing = () => undefined;

async function pieces(body: AnswerBody): Promise<string[]> {
  const texts: string[] = [];
  for await (const chunk of body) texts.push(String(chunk));
  return texts;
}

const WAYS: Readonly<Record<string, (body: AnswerBody) => Promise<string>>> = {
  'piece by piece': async (body) => (await pieces(body)).join(''),
  whole: async (body) => String(await body.whole(nothing)),
};

describe.each(Object.entries(WAYS))('an answer that is read %s', (_, read) => {
  it.each(['before it comes', 'in the middle of it', 'once it is complete'])(
    'is all there for who asks %s',
    async (when) => {
      const { body, push, seen } = open();
      const reads: Promise<string>[] = [];
      const readIf = (now: string) => when === now && reads.push(read(body));
      readIf('before it comes');
      push('fi');
      readIf('in the middle of it');
      push('ne');
      body.end();
      readIf('once it is complete');
      expect(await reads[0]).toBe('fine');
      expect(seen.left).toBeGreaterThan(0);
    },
  );

  it('breaks for who waits and for who comes later, and what was unread is dropped', async () => {
    const [early, late] = [open(), open()];
    const reading = read(early.body);
    for (const { body, push } of [early, late]) {
      push('fi');
      body.break(new Error('cut'));
    }
    await expect(reading).rejects.toThrow('cut');
    await expect(read(late.body)).rejects.toThrow('cut');
    expect(late.seen.left).toBe(1);
  });

  it('is refused to who reads it and to who begins to, once it is given up', async () => {
    const [reading, beginning] = [open(), open()];
    const asked = read(reading.body);
    for (const { body, push } of [reading, beginning]) {
      push('fi');
      body.close();
    }
    await expect(asked).rejects.toThrow('given up');
    await expect(read(beginning.body)).rejects.toThrow('given up');
  });

  it('is no other for being given up once it was complete', async () => {
    const { body, push } = open();
    push('fine');
    body.end();
    body.close();
    expect(await read(body)).toBe('fine');
  });
});

it('that breaks is not waited for by a reader who is busy with a piece', async () => {
  const { body } = open();
  const busy = body.during(new Promise(() => undefined));
  body.close(new Error('too late'));
  await expect(busy).rejects.toThrow('too late');
  await expect(body.during(Promise.resolve())).rejects.toThrow('too late');
  expect(await open().body.during(Promise.resolve('done'))).toBe('done');
});

describe('the pieces of an answer', () => {
  it('come as they came', async () => {
    const { body, push } = open();
    push('before');
    const read = pieces(body);
    push('one', 'two', 'three');
    body.end();
    expect(await read).toEqual(['before', 'one', 'two', 'three']);
  });

  it('say when enough wait, and more are asked for once the reader has taken that', async () => {
    const { body, seen } = open();
    expect([30_000, 30_000, 30_000].map((bytes) => body.push(Buffer.alloc(bytes)))).toEqual([true, true, false]);
    expect(seen.demands).toBe(0);
    await body.next();
    expect(seen.demands).toBe(1);
  });

  it('end the call where there is no room for one, and no further one is taken', async () => {
    const { body, push, seen } = open();
    push('a', 'b', 'c');
    const taken: string[] = [];
    const take = (chunk: Buffer) => {
      taken.push(String(chunk));
      if (taken.length === 2) throw new Error('spent');
    };
    await expect(body.whole(take)).rejects.toThrow('spent');
    expect([taken, seen.left]).toEqual([['a', 'b'], 1]);
  });

  it('are left early by a reader, which ends the call', async () => {
    const { body, push, seen } = open();
    push('first');
    for await (const _ of body) break;
    expect(seen.left).toBe(1);
  });

  it('are over for everybody once they were left, also for who waits', async () => {
    const { body, seen } = open();
    const waiting = body.next();
    await body.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await pieces(body)).toEqual([]);
    expect(seen.left).toBeGreaterThan(0);
  });

  it('that nobody has read are dropped when they are left, and the vendor is asked for no more', async () => {
    const { body, seen } = open();
    for (const bytes of [1, BUFFERED_BYTES]) body.push(Buffer.alloc(bytes));
    for await (const _ of body) break;
    expect(await pieces(body)).toEqual([]);
    expect(seen.demands).toBe(0);
  });
});
