import { Readable } from 'node:stream';
import { AnswerBody, collectStream } from './answer-body';

function open() {
  const calls: string[] = [];
  const body = new AnswerBody({ resume: () => calls.push('resume'), leave: () => calls.push('leave') });
  return { body, calls };
}

const bytes = (text: string) => Buffer.from(text);
const nothing = () => undefined;

async function readStream(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

describe('all bytes of an answer', () => {
  it.each(['before it comes', 'in the middle of it', 'once it is complete'])(
    'are given to who asks %s',
    async (when) => {
      const { body, calls } = open();
      const asks: Promise<Buffer>[] = [];
      const askIf = (now: string) => when === now && asks.push(body.whole(nothing));
      askIf('before it comes');
      body.push(bytes('fi'));
      askIf('in the middle of it');
      body.push(bytes('ne'));
      body.end();
      askIf('once it is complete');
      expect(String(await asks[0])).toBe('fine');
      expect(calls).toContain('leave');
    },
  );

  it('are not given where it breaks, before or after somebody asked', async () => {
    const [early, late] = [open().body, open().body];
    const asked = early.whole(nothing);
    for (const body of [early, late]) {
      body.push(bytes('fi'));
      body.break(new Error('cut'));
    }
    await expect(asked).rejects.toThrow('cut');
    await expect(late.whole(nothing)).rejects.toThrow('cut');
  });

  it('are not given where there is no room for a piece, which ends the call and takes no further one', async () => {
    const { body, calls } = open();
    for (const piece of ['a', 'b', 'c']) body.push(bytes(piece));
    const taken: string[] = [];
    const take = (chunk: Buffer) => {
      taken.push(String(chunk));
      if (taken.length === 2) throw new Error('spent');
    };
    await expect(body.whole(take)).rejects.toThrow('spent');
    expect([taken, calls]).toEqual([['a', 'b'], ['leave']]);
  });
});

describe('an answer that is given up', () => {
  it('is refused to who reads all of it, and to who begins to', async () => {
    const [reading, beginning, streaming] = [open().body, open().body, open().body];
    const asked = reading.whole(nothing);
    for (const body of [reading, beginning, streaming]) {
      body.push(bytes('fi'));
      body.close();
    }
    await expect(asked).rejects.toThrow('given up');
    await expect(beginning.whole(nothing)).rejects.toThrow('given up');
    await expect(readStream(streaming.stream())).rejects.toThrow('given up');
  });

  it('is no other once it was complete', async () => {
    const { body } = open();
    body.push(bytes('fine'));
    body.end();
    body.close();
    expect(String(await body.whole(nothing))).toBe('fine');
  });

  it('is refused to who collects its stream', async () => {
    const stream = new Readable({ read: nothing });
    const collected = collectStream(stream, nothing);
    stream.destroy();
    await expect(collected).rejects.toThrow('given up');
  });
});

it('is read as a stream with what had come before, and pauses the vendor when nobody reads', async () => {
  const { body } = open();
  expect(body.push(bytes('fi'))).toBe(true);
  expect(body.push(Buffer.alloc(64 * 1024))).toBe(false);
  const stream = body.stream();
  body.end();
  expect((await readStream(stream)).length).toBe(64 * 1024 + 2);
});
