import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/local-servers';
import { type AudioFormat, type AudioStudio, createAudioStudio } from '../src/media/audio/audio-studio';
import { frequencyOf } from '../src/media/audio/key';
import { crop, join as joined, type Music, parts, type Recording } from '../src/media/audio/recording';
import { continued } from '../src/music/continue-music';
import { decode, greatestDifference, loudnessOf, pitchIn, SAMPLE_RATE, type Sound, tempoIn } from './sounds';
import { sampleMedia } from './videos';

const music: Music = {
  kind: 'music',
  motif: 'harbour lights',
  variation: 1,
  bpm: 120,
  key: { tonic: 9, mode: 'minor' },
  voice: 'female',
  from: 0,
  seconds: 6,
};
let parentFolder: string;
let studio: AudioStudio;

beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'audio-test-'));
  studio = createAudioStudio({ ffmpegPath: ffmpegProgram(), parentFolder });
});
afterAll(async () => {
  await studio.close();
  expect(await readdir(parentFolder)).toEqual([]);
  await rm(parentFolder, { recursive: true });
});

const heard = async (recording: Recording, format: AudioFormat = 'wav'): Promise<Sound> =>
  decode(await (await studio.audio(recording, format)).bytes());
const stem = (of: Recording, ...heardParts: (typeof parts)[number][]): Recording => ({
  kind: 'parts',
  of,
  parts: heardParts,
});
/** The bass begins on the root of the key. */
const bassPitch = async (recording: Recording, to = 0.4) =>
  pitchIn((await heard(stem(recording, 'bass'))).samples, { from: 0.05, to });
const A2 = frequencyOf(45);

describe('a track', () => {
  it.each<[AudioFormat, string]>([
    ['mp3', 'mp3'],
    ['m4a', 'aac'],
    ['wav', 'pcm_s16le'],
  ])('decodes as %s, as long as ordered, and is loud without clipping', async (format, codec) => {
    const sound = await heard(music, format);
    expect(sound.codec).toBe(codec);
    expect(sound.seconds).toBeCloseTo(6, 0);
    expect(Math.abs(sound.seconds - 6)).toBeLessThan(0.1);
    expect(loudnessOf(sound.samples)).toBeGreaterThan(0.03);
    expect(sound.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(0.7);
  });

  it.each([84, 120, 150])('has the tempo ordered: %d', async (bpm) => {
    const { samples } = await heard(stem({ ...music, bpm, seconds: 12 }, 'percussion'));
    expect(tempoIn(samples, { slowest: bpm * 0.7, fastest: bpm * 1.4 })).toBeCloseTo(bpm, -0.3);
  });

  it.each([
    [0, 36],
    [9, 45],
  ])('has the key ordered: its bass begins on tonic %d', async (tonic, pitch) => {
    expect(await bassPitch({ ...music, key: { tonic, mode: 'minor' } })).toBeCloseTo(frequencyOf(pitch), -0.2);
  });

  it('has another third in a minor key than in a major one', async () => {
    const major = await heard({ ...music, key: { tonic: 9, mode: 'major' } });
    expect(greatestDifference(major.samples, (await heard(music)).samples)).toBeGreaterThan(0.05);
  });

  it('of two minutes is two minutes long', async () => {
    const { seconds } = await heard({ ...music, motif: 'long', seconds: 120 }, 'mp3');
    expect(seconds).toBeCloseTo(120, 0);
  });
});

describe('stems', () => {
  it.each<[string, Recording]>([
    ['a song', music],
    [
      'a cut, faded and faster song',
      {
        kind: 'speed',
        of: { kind: 'fade', of: crop(music, 1, 5), fadeIn: 1, fadeOut: 1 },
        factor: 1.25,
        keepPitch: true,
      },
    ],
  ])('of %s add up to its mix', async (_name, recording) => {
    const stems = await Promise.all(parts.map((part) => heard(stem(recording, part))));
    const mix = (await heard(recording)).samples;
    const sum = mix.map((_, at) => stems.reduce((total, { samples }) => total + (samples[at] ?? 0), 0));
    // Each file is rounded to 16 bits by itself.
    expect(greatestDifference(sum, mix)).toBeLessThan(8 / 32_767);
    for (const { samples } of stems) expect(loudnessOf(samples)).toBeGreaterThan(0.001);
  });

  it('of somebody else’s sound add up to it, and a low tone is in the bass', async () => {
    const clip = await studio.clips.put(await sampleMedia('mp3', 2));
    if (!clip) throw new Error('the sample is no sound');
    const mix = (await heard(clip)).samples;
    const stems = await Promise.all(parts.map((part) => heard(stem(clip, part))));
    const sum = mix.map((_, at) => stems.reduce((total, { samples }) => total + (samples[at] ?? 0), 0));
    expect(greatestDifference(sum, mix)).toBeLessThan(8 / 32_767);
  });
});

describe('what is made of a track', () => {
  it('a longer stretch goes on as the track would have gone', async () => {
    const extended = joined([crop(music, 0, 5), { ...music, from: 5, seconds: 4 }]);
    const { samples, seconds } = await heard(extended);
    expect(seconds).toBe(9);
    expect(greatestDifference(samples, (await heard({ ...music, seconds: 9 })).samples)).toBeLessThan(0.002);
  });

  it('so does a longer stretch of a cut and faster track', async () => {
    const fast: Recording = { kind: 'speed', of: crop(music, 3, 6), factor: 1.5, keepPitch: true };
    const more = { at: 1.5, seconds: 2, variation: 0, fallback: music };
    const whole: Recording = {
      kind: 'speed',
      of: crop({ ...music, seconds: 9 }, 3, 8.25),
      factor: 1.5,
      keepPitch: true,
    };
    const [{ samples }, expected] = await Promise.all([heard(continued(fast, more)), heard(whole)]);
    expect(samples.length).toBe(expected.samples.length);
    expect(greatestDifference(samples, expected.samples)).toBeLessThan(0.02);
  });

  it('a crop is that stretch of it', async () => {
    const { samples, seconds } = await heard(crop(music, 2, 5));
    expect(seconds).toBe(3);
    const whole = (await heard(music)).samples;
    expect(greatestDifference(samples, whole.subarray(2 * SAMPLE_RATE, 5 * SAMPLE_RATE))).toBe(0);
  });

  it('faster with its pitch kept: shorter, quicker, as high', async () => {
    const fast: Recording = { kind: 'speed', of: music, factor: 1.5, keepPitch: true };
    const { samples, seconds } = await heard(stem(fast, 'percussion'));
    expect(seconds).toBeCloseTo(4, 3);
    expect(tempoIn(samples, { slowest: 130, fastest: 260 })).toBeCloseTo(180, -0.5);
    expect(await bassPitch(fast, 0.3)).toBeCloseTo(A2, -0.2);
  });

  it('faster without: as much higher as faster', async () => {
    const fast: Recording = { kind: 'speed', of: music, factor: 1.5, keepPitch: false };
    expect((await heard(fast)).seconds).toBeCloseTo(4, 3);
    expect(await bassPitch(fast, 0.3)).toBeCloseTo(A2 * 1.5, -0.3);
  });

  it('a fade begins and ends in silence', async () => {
    const { samples } = await heard({ kind: 'fade', of: music, fadeIn: 2, fadeOut: 2 });
    const whole = (await heard(music)).samples;
    const share = (from: number, to: number) =>
      loudnessOf(samples.subarray(from * SAMPLE_RATE, to * SAMPLE_RATE)) /
      loudnessOf(whole.subarray(from * SAMPLE_RATE, to * SAMPLE_RATE));
    expect([share(0, 0.2), share(2, 4), share(5.8, 6)]).toEqual([
      expect.closeTo(0.05, 1),
      expect.closeTo(1, 3),
      expect.closeTo(0.05, 1),
    ]);
  });

  it('a gain makes it louder by that much', async () => {
    const louder = await heard({ kind: 'gain', of: music, factor: 1.4 });
    expect(loudnessOf(louder.samples) / loudnessOf((await heard(music)).samples)).toBeCloseTo(1.4, 2);
  });
});

describe('clips', () => {
  it('keep their length and pitch, and are stretched without changing the pitch', async () => {
    const clip = await studio.clips.put(await sampleMedia('mp3', 3));
    if (!clip) throw new Error('the sample is no sound');
    expect(clip.seconds).toBeCloseTo(3, 0);
    const slow: Recording = { kind: 'speed', of: clip, factor: 0.4, keepPitch: true };
    const { samples, seconds } = await heard(slow);
    expect(seconds).toBeCloseTo(clip.seconds / 0.4, 1);
    // The sample is a tone of 300 Hz.
    expect(pitchIn(samples, { from: 2, to: 2.3, lowest: 150, highest: 700 })).toBeCloseTo(300, -1);
  });

  it('are sounds, or nothing', async () => {
    expect(await studio.clips.put(Buffer.from('no sound'))).toBeUndefined();
    const without = createAudioStudio({ ffmpegPath: '/none/ffmpeg' });
    await expect(without.clips.put(Buffer.from('no sound'))).rejects.toThrow('/none/ffmpeg');
    await without.close();
  });
});

it('one file serves all wishes for one recording', async () => {
  const [one, other] = await Promise.all([studio.audio(music, 'mp3'), studio.audio({ ...music }, 'mp3')]);
  expect(one).toBe(other);
});
