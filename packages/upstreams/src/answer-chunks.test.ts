import { AnswerBody } from './answer-body';

function openBody() {
  const seen = { demands: 0, left: 0 };
  const body = new AnswerBody({
    resume() {
      seen.demands += 1;
    },
    leave() {
      seen.left += 1;
    },
  });
  return { body, seen };
}

async function readAll(chunks: AsyncIterable<Buffer>): Promise<string[]> {
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(String(chunk));
  return texts;
}

describe('the pieces of an answer', () => {
  it('come as they came, those from before the reader too, and end once', async () => {
    const { body, seen } = openBody();
    body.push(Buffer.from('before'));
    const read = readAll(body.chunks());
    for (const chunk of ['one', 'two', 'three']) body.push(Buffer.from(chunk));
    body.end();
    expect(await read).toEqual(['before', 'one', 'two', 'three']);
    expect(seen.left).toBe(1);
  });

  it('are all there for a reader who comes after the end', async () => {
    const { body } = openBody();
    body.push(Buffer.from('all'));
    body.end();
    expect(await readAll(body.chunks())).toEqual(['all']);
  });

  it('say when enough wait, and more are asked for once the reader has taken that', async () => {
    const { body, seen } = openBody();
    const chunks = body.chunks();
    const pushed = [30_000, 30_000, 30_000].map((bytes) => body.push(Buffer.alloc(bytes)));
    expect(pushed).toEqual([true, true, false]);
    expect(seen.demands).toBe(0);
    await chunks.next();
    expect(seen.demands).toBe(1);
  });

  it('break for who waits and for who comes later, and what was unread is dropped', async () => {
    const { body } = openBody();
    const waiting = body.chunks().next();
    body.break(new Error('cut'));
    await expect(waiting).rejects.toThrow('cut');
    await expect(body.chunks().next()).rejects.toThrow('cut');

    const second = openBody().body;
    const late = second.chunks();
    second.push(Buffer.from('unread'));
    second.break(new Error('cut'));
    await expect(late.next()).rejects.toThrow('cut');
  });

  it('have broken before the reader came', async () => {
    const { body } = openBody();
    body.break(new Error('cut'));
    await expect(readAll(body.chunks())).rejects.toThrow('cut');
  });

  it('are left early by a reader, which ends the call', async () => {
    const { body, seen } = openBody();
    body.push(Buffer.from('first'));
    for await (const _ of body.chunks()) break;
    expect(seen.left).toBe(1);
  });

  it('are over for everybody once they were left, also for who waits', async () => {
    const { body, seen } = openBody();
    const chunks = body.chunks();
    const waiting = chunks.next();
    await chunks.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await readAll(chunks)).toEqual([]);
    expect(seen.left).toBeGreaterThan(0);
  });

  it('that nobody has read are dropped when they are left, and the vendor is asked for no more', async () => {
    const { body, seen } = openBody();
    const chunks = body.chunks();
    for (const bytes of [1, 64 * 1024]) body.push(Buffer.alloc(bytes));
    for await (const _ of chunks) break;
    expect(await readAll(chunks)).toEqual([]);
    expect(seen.demands).toBe(0);
  });
});
