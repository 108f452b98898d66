import { createPieceSource, FIRST_PIECE_BYTES, TooManyReadsError } from './piece-source';

const FILE = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));

function counted(head?: Buffer, file = FILE) {
  const fetched: [start: number, end: number][] = [];
  const fetch = async (start: number, end: number) => {
    fetched.push([start, end]);
    return file.subarray(start, end);
  };
  return { fetched, source: createPieceSource({ totalBytes: file.length, fetch, ...(head && { head }) }) };
}

describe('a source of pieces', () => {
  it('answers what was asked for, and less at the end of the file', async () => {
    const { source } = counted();
    expect(await source.read(1_000, 1_010)).toEqual(FILE.subarray(1_000, 1_010));
    expect(await source.read(2_999_990, 9_000_000)).toEqual(FILE.subarray(2_999_990));
    expect(await source.read(3_000_000, 3_000_010)).toHaveLength(0);
  });

  it('asks once for what lies together, and not for what it has', async () => {
    const { source, fetched } = counted(FILE.subarray(0, FIRST_PIECE_BYTES));
    for (let at = 0; at < FIRST_PIECE_BYTES; at += 1_000) await source.read(at, at + 100);
    expect(fetched).toEqual([]);
    for (let at = 2_000_000; at < 2_060_000; at += 1_000) await source.read(at, at + 100);
    expect(fetched).toEqual([[2_000_000, 2_000_000 + FIRST_PIECE_BYTES]]);
  });

  it('asks for more and more when it is read through', async () => {
    const { source, fetched } = counted();
    for (let at = 0; at < FILE.length; at += 1_500) {
      expect((await source.read(at, at + 1_500)).equals(FILE.subarray(at, at + 1_500))).toBe(true);
    }
    expect(fetched.length).toBeLessThan(8);
  });

  it('keeps few bytes, however large the pieces asked for', async () => {
    const { source, fetched } = counted(undefined, Buffer.alloc(40_000_000));
    const starts = [0, 5_000_000, 10_000_000, 15_000_000];
    for (const start of starts) await source.read(start, start + 3_000_000);
    for (const start of [...starts].reverse()) await source.read(start, start + 3_000_000);
    // The last two were kept; three are 9 MB.
    expect(fetched).toHaveLength(6);
  });

  it('gives up when it is sent round in circles', async () => {
    const { source, fetched } = counted();
    const circles = async () => {
      for (let round = 0; ; round += 1)
        await source.read((round * 400_000) % FILE.length, ((round * 400_000) % FILE.length) + 9);
    };
    await expect(circles()).rejects.toBeInstanceOf(TooManyReadsError);
    const bytes = fetched.reduce((sum, [start, end]) => sum + end - start, 0);
    expect(bytes).toBeLessThanOrEqual(2 * FILE.length + FIRST_PIECE_BYTES);
  });
});
