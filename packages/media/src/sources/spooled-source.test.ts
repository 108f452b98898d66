import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { withSpooledSource } from './spooled-source';

const PART = Buffer.alloc(1_000, 'abcdefghij');

/** Ten parts, and how many of them were taken. */
function body(): { chunks: AsyncIterable<Buffer>; taken(): number; ended(): boolean } {
  let [taken, ended] = [0, false];
  async function* parts(): AsyncGenerator<Buffer> {
    try {
      for (; taken < 10; ) {
        taken += 1;
        yield PART;
      }
    } finally {
      ended = true;
    }
  }
  return { chunks: parts(), taken: () => taken, ended: () => ended };
}

const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('mediagate-spool-'));

/** Other tests spool at the same time, and their folders exist for a moment, too. */
async function expectToVanish(names: readonly string[]): Promise<void> {
  for (let left = names; left.length > 0; await delay(10)) {
    const now = await folders();
    left = left.filter((name) => now.includes(name));
  }
}

describe('a spooled source', () => {
  it('takes of a body as much as is asked for, and any place in it again', async () => {
    const { chunks, taken, ended } = body();
    const before = await folders();
    await withSpooledSource({ body: chunks, totalBytes: 10_000 }, async (source) => {
      expect((await source.read(2_500, 2_510)).toString()).toBe('abcdefghij');
      expect(taken()).toBe(3);
      expect((await source.read(5, 15)).toString()).toBe('fghijabcde');
      expect(taken()).toBe(3);
      expect(await source.read(9_995, 20_000)).toHaveLength(5);
      await expectToVanish((await folders()).filter((name) => !before.includes(name)));
    });
    expect({ taken: taken(), ended: ended() }).toEqual({ taken: 10, ended: true });
  });

  it('lets go of the body when enough was read, or something went wrong', async () => {
    for (const use of [async () => 'enough', () => Promise.reject(new Error('wrong'))]) {
      const { chunks, ended, taken } = body();
      await withSpooledSource({ body: chunks, totalBytes: 10_000 }, async (source) => {
        await source.read(0, 10);
        return use();
      }).catch(() => undefined);
      expect({ taken: taken(), ended: ended() }).toEqual({ taken: 1, ended: true });
    }
  });

  it('reads a body of unknown size to its end to know it', async () => {
    const { chunks } = body();
    expect(await withSpooledSource({ body: chunks, totalBytes: undefined }, async ({ totalBytes }) => totalBytes)).toBe(
      10_000,
    );
  });

  it('serves readers that come at the same time', async () => {
    const { chunks } = body();
    await withSpooledSource({ body: chunks, totalBytes: 10_000 }, async (source) => {
      const reads = await Promise.all([9_000, 1_000, 5_000].map((start) => source.read(start, start + 1_000)));
      for (const bytes of reads) expect(bytes).toEqual(PART);
    });
  });

  it('passes on what happens to the body', async () => {
    const broken = new Error('broken off');
    async function* failing(): AsyncGenerator<Buffer> {
      yield PART;
      throw broken;
    }
    const read = withSpooledSource({ body: failing(), totalBytes: 5_000 }, (source) => source.read(0, 4_000));
    await expect(read).rejects.toBe(broken);
  });
});
