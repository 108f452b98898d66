import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ObjectMissingError, type Storage } from '../src';

let count = 0;
/** A key that no other test uses. */
const freshKey = () => {
  count += 1;
  return `results/${process.pid}-${count}.png`;
};

const png = (bytes: Buffer | { length: number }) => ({ contentType: 'image/png', bytes: bytes.length });

/** Tests that every storage driver must pass. `open` is called once the driver's server, if any, is up. */
export function describeStorage(name: string, open: () => Storage): void {
  const put = async (key: string, bytes: Buffer) => open().put(key, bytes, png(bytes));
  const read = async (key: string, range?: { start: number; end?: number }) => buffer(await open().open(key, range));

  describe(`${name} as a storage`, () => {
    it.each([0, 1, 70_000, 3_000_000])('gives back the %i bytes it was given', async (length) => {
      const key = freshKey();
      const bytes = randomBytes(length);
      await put(key, bytes);
      expect((await read(key)).equals(bytes)).toBe(true);
    });

    it('takes a stream', async () => {
      const key = freshKey();
      const chunks = Array.from({ length: 20 }, () => randomBytes(50_000));
      const bytes = Buffer.concat(chunks);
      await open().put(key, Readable.from(chunks), png(bytes));
      expect((await read(key)).equals(bytes)).toBe(true);
    });

    it('takes the beginning of a file, which stays where it is, and refuses one that is too short', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mediagate-object-'));
      const [key, path, bytes] = [freshKey(), join(folder, 'file'), randomBytes(700_000)];
      await writeFile(path, Buffer.concat([bytes, Buffer.from('PK')]));
      await open().put(key, { path, totalBytes: bytes.length }, png(bytes));
      expect((await read(key)).equals(bytes)).toBe(true);
      expect((await stat(path)).size).toBe(bytes.length + 2);
      const tooLong = { path, totalBytes: bytes.length + 3 };
      await expect(open().put(freshKey(), tooLong, png({ length: tooLong.totalBytes }))).rejects.toThrow(
        'bytes announced',
      );
      await rm(folder, { recursive: true });
    });

    it('reads ranges, both ends included', async () => {
      const key = freshKey();
      await put(key, Buffer.from('0123456789'));
      const parts = [
        await read(key, { start: 2, end: 4 }),
        await read(key, { start: 7 }),
        await read(key, { start: 9, end: 9 }),
      ];
      expect(parts.map(String)).toEqual(['234', '789', '9']);
    });

    it('replaces an object of the same key, whole', async () => {
      const key = freshKey();
      await put(key, Buffer.from('a longer first one'));
      await put(key, Buffer.from('second'));
      expect(String(await read(key))).toBe('second');
    });

    it('knows what is not there', async () => {
      const key = freshKey();
      await expect(open().open(key)).rejects.toBeInstanceOf(ObjectMissingError);
      await expect(open().remove(key)).resolves.toBeUndefined();
    });

    it('removes', async () => {
      const key = freshKey();
      await put(key, Buffer.from('x'));
      await open().remove(key);
      await expect(open().open(key)).rejects.toBeInstanceOf(ObjectMissingError);
    });

    it('lists the keys of a prefix that sort before another, in parts', async () => {
      const made = ['listed/a.png', 'listed/b.png', 'listed/c', 'listed/d.png', 'listing/a.png'];
      for (const key of made) await put(key, Buffer.from('x'));
      const keys: string[] = [];
      let place: string | undefined;
      do {
        const part = await open().list({ prefix: 'listed/', before: 'listed/d.png', place });
        keys.push(...part.keys);
        place = part.next;
      } while (place !== undefined);
      expect(keys.sort()).toEqual(made.slice(0, 3));
      expect(await open().list({ prefix: 'nothing/', before: 'nothing/z' })).toMatchObject({ keys: [] });
    });

    it('refuses bytes that are not as many as announced', async () => {
      const key = freshKey();
      await expect(open().put(key, Buffer.from('abc'), png({ length: 4 }))).rejects.toThrow('3 of the 4 bytes');
      await expect(open().open(key)).rejects.toBeInstanceOf(ObjectMissingError);
    });

    it.each(['', '/etc/passwd', '../x', 'a/../../x', 'a//b', 'a/', 'a/.b', 'A', 'a b', 'a\0b', 'ü', 'x'.repeat(201)])(
      'has no key %j',
      async (key) => {
        const bytes = Buffer.from('x');
        const acts = [put(key, bytes), open().open(key), open().remove(key)];
        const outcomes = await Promise.allSettled(acts);
        const refused = { status: 'rejected', reason: expect.any(TypeError) };
        expect(outcomes).toEqual([refused, refused, refused]);
      },
    );
  });
}

/** Bodies that end otherwise than announced: their parts, the announced length, and the error. */
export const BROKEN_BODIES = [
  ['breaks', [Buffer.from('half'), new Error('broken')], 8, 'broken'],
  ['is shorter than announced', [Buffer.from('half')], 8, 'has 4 of the 8 bytes'],
  ['is longer than announced', [Buffer.from('half'), Buffer.from('more')], 6, 'longer than the 6 bytes'],
] as const;

export function playBody(parts: readonly (Buffer | Error)[]): Readable {
  return Readable.from(play(parts), { objectMode: false });
}

async function* play(parts: readonly (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}
