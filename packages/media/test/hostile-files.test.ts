import { type Task, takeApart } from '../src/inspect/take-apart';
import { WorkLimit } from '../src/inspect/work-limit';
import * as hostile from './hostile-files';
import { box, MOST, mp4, u32 } from './hostile-files';

const FULL = u32(0);

/** The verdict on a file, and what it took to find it. */
async function judge(bytes: Buffer, kind: Task['kind'] = 'playable') {
  const work = new WorkLimit(bytes.length);
  const read = async (start: number, end: number) => bytes.subarray(start, end);
  const task = { kind, totalBytes: bytes.length, toTheEnd: true };
  const verdict = await takeApart(task, read, work).then(
    (facts) => facts,
    (error: unknown) => error,
  );
  return { verdict, spent: work.spent };
}

const refusal = (part: string) => ({
  problem: { key: 'file_names_too_many', params: expect.objectContaining({ table: part }) },
});
const TOO_MUCH = /more work than its size allows/;

/** So little is done for a file of a few kilobytes before it is refused. */
const FEW_STEPS = 100;

describe('a file that names more than it has room for is refused before anything is done for it', () => {
  const stts = box('stts', FULL, u32(1, MOST, 1));
  const times = (count: number, table: Buffer) => Array.from({ length: count }, () => table);

  it.each([
    ['a run of four thousand million samples in 2.8 KB', hostile.endlessRun(), 'trun'],
    [
      'runs that each name as many samples as the file has bytes',
      hostile.fragmented(times(60, FULL).map(() => 2_000)),
      'trun',
    ],
    ['a run of more sizes than it has', withSizes(), 'trun'],
    ['an entry of samples that are equally long', mp4({ stts }), 'stts'],
    ['the same beside times of their own', mp4({ stts, ctts: box('ctts', FULL, u32(1, 1, 0)) }), 'stts'],
    ['one entry of times for all samples', mp4({ ctts: box('ctts', FULL, u32(1, MOST, 0)) }), 'ctts'],
    [
      'many entries that each name as many samples as the file has bytes',
      mp4({ stts: times(60, box('stts', FULL, u32(1, 1_500, 1))) }),
      'stts',
    ],
    ['samples of one size', mp4({ stsz: box('stsz', FULL, u32(1, MOST)) }), 'stsz'],
    ['sizes that are not there', mp4({ stsz: box('stsz', FULL, u32(0, 1_000, 1)) }), 'stsz'],
    ['sizes of no bits', mp4({ stsz: box('stz2', FULL, u32(0, MOST)) }), 'stz2'],
    ['chunks of four thousand million samples', mp4({ stsc: box('stsc', FULL, u32(1, 1, MOST, 1)) }), 'stsc'],
    [
      'four thousand million chunks of sound',
      mp4({ stsc: box('stsc', FULL, u32(2, 1, 1, 1, MOST, 1, 1)) }, 'soun'),
      'stsc chunks',
    ],
    ['places of chunks that are not there', mp4({ stco: box('stco', FULL, u32(MOST)) }), 'stco'],
    ['the same in 64 bits', mp4({ stco: box('co64', FULL, u32(MOST)) }), 'co64'],
    ['key frames that are not there', mp4({ stss: box('stss', FULL, u32(MOST)) }), 'stss'],
    ['tracks of no content', hostile.manyTracks(300), 'trak'],
    ['laces of frames of no bytes', hostile.emptyLaces(200), 'Block'],
  ])('%s', async (_case, bytes, part) => {
    const { verdict, spent } = await judge(bytes);
    expect(verdict).toMatchObject(refusal(part));
    expect(bytes.length).toBeLessThan(6_000);
    expect(spent.steps).toBeLessThan(10 * FEW_STEPS);
    expect(spent.bytes).toBeLessThanOrEqual(2 * bytes.length);
  });

  function withSizes(): Buffer {
    const run = box('trun', u32(0x200), u32(50), u32(8));
    const file = hostile.fragmented([1]);
    const old = hostile.fragment([1]);
    const traf = box('traf', box('tfhd', u32(0x020000), u32(1)), box('tfdt', FULL, u32(0)), run);
    const at = file.indexOf(old);
    return Buffer.concat([
      file.subarray(0, at),
      box('moof', box('mfhd', FULL, u32(1)), traf),
      file.subarray(at + old.length),
    ]);
  }
});

describe('a file that sends its reader round in circles costs the few steps that it has parts, and is brought once', () => {
  it.each<[string, Buffer, Task['kind'], number, RegExp | object]>([
    [
      'an MP4 whose chunks begin anew with each entry',
      mp4({ stsc: box('stsc', FULL, u32(3, 1, 1, 1, 90, 1, 1, 1, 1, 1)) }, 'soun'),
      'playable',
      50,
      /out of order/,
    ],
    ['boxes within boxes', hostile.nested('mdia', 2_000), 'playable', 400, /call stack/],
    ['cues that lie', hostile.lyingCues(60, 60), 'playable', 9_500, TOO_MUCH],
    ['elements within elements', hostile.deepElements(400), 'playable', 500, /last packet is missing/],
    ['an MP3 with a tag of 256 MB', hostile.longTag(), 'playable', 50, /unrecognizable/],
    ['tags of no length', hostile.manyTags(500), 'playable', 1_200, /unrecognizable/],
    ['frames within frames', hostile.framesWithinFrames(1_500), 'playable', 700, { seconds: 6, audio: {} }],
    ['a table of four thousand million frames', hostile.longVbrTable(), 'playable', 50, /last packet is missing/],
    ['a WAV of samples of no bytes', hostile.wav({ align: 0 }), 'playable', 50, /Assertion/],
    ['a WAV of no samples a second', hostile.wav({ rate: 0 }), 'playable', 50, /Assertion/],
    [
      'a WAV that says it has 4 GB',
      hostile.wav({ declared: MOST }),
      'playable',
      50,
      { seconds: 1_000 / 48_000, audio: {} },
    ],
    ['chunks of no length', hostile.manyChunks(600), 'playable', 700, /missing "fmt " chunk/],
    ['an Ogg of empty pages', hostile.emptyPages(20), 'playable', 50, { seconds: 0 }],
    ['a FLAC of frames that do not end', hostile.endlessFrames(4_000), 'playable', 50, /Assertion/],
    ['empty blocks of metadata', hostile.manyBlocks(1_000), 'playable', 1_200, /Missing STREAMINFO/],
    ['a compound file whose directory is a circle', hostile.directoryInCircles(), 'document', 2_400, /cannot be read/],
    ['one whose lists do not end', hostile.endlessLists(), 'document', 50, /cannot be read/],
    ['a ZIP of 65,535 entries that are not there', hostile.zip(65_535), 'document', 50, /at most 10000/],
    ['a ZIP of 9,000 entries that are not there', hostile.zip(9_000), 'document', 50, /cannot be read/],
  ])('%s', async (_case, bytes, kind, mostSteps, expected) => {
    const { verdict, spent } = await judge(bytes, kind);
    if (expected instanceof RegExp) expect(verdict).toMatchObject({ message: expect.stringMatching(expected) });
    else expect(verdict).toEqual(expected);
    expect(bytes.length).toBeLessThan(20_000);
    expect(spent.steps).toBeLessThanOrEqual(mostSteps);
    expect(spent.bytes).toBeLessThanOrEqual(bytes.length);
  });
});
