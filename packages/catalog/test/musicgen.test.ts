import type { JsonObject, MusicRequest } from '@mediagate/contracts';
import { createPriceBook, loadCatalogue, type PriceOverride, type SourceTask } from '../src';
import { modelUnderTest } from './model-under-test';
import { refuse } from './parsing';

const TASK = 'task_01m7y2sj24fztvyr284w6jthg6';
const catalogue = loadCatalogue();

const operation = (name: string, base: JsonObject = {}) => modelUnderTest('musicgen', base, `music.${name}`);
const create = operation('create');
const onTrack = (name: string, base: JsonObject = {}) => operation(name, { task_id: TASK, ...base });

/** A finished task of two tracks, the first of 120.5 seconds. */
const music: SourceTask = {
  id: TASK,
  model: 'musicgen',
  kind: 'music',
  operation: 'music.create',
  status: 'completed',
  input: {},
  result: {
    music: [
      { audio_id: 'clip-1', title: 'Harbour', duration: 120.5, audio_url: 'https://media.example/1.mp3' },
      { audio_id: 'clip-2', title: 'Harbour', duration: 60, audio_url: 'https://media.example/2.mp3' },
    ],
  },
  upstream: { channelId: 'suno', protocol: 'ttapi-suno', externalId: 'job-7' },
};

describe('the mode, when custom is omitted', () => {
  it.each<[why: string, body: JsonObject, custom: boolean]>([
    ['prompt makes it true, whatever else there is', { prompt: 'La', gpt_description: 'a waltz' }, true],
    ['else gpt_description makes it false, whatever else there is', { gpt_description: 'a waltz', title: 'A' }, false],
    ['else tags make it true', { tags: 'waltz' }, true],
    ['else a title makes it true', { title: 'Harbour' }, true],
    ['a blank prompt is none', { prompt: ' ', gpt_description: 'a waltz' }, false],
  ])('%s', (_why, body, custom) => {
    expect(create.input(body)['custom']).toBe(custom);
  });

  it('is not custom when no field tells, so a description is missing', () => {
    for (const each of [create, onTrack('sample'), onTrack('cover'), onTrack('extend', { continue_at: 3 })]) {
      expect(each.refused({})).toMatchObject({ param: 'gpt_description', code: 'invalid_request' });
    }
  });
});

describe('fields of the other mode', () => {
  const customOnly = {
    prompt: 'La',
    title: 'A',
    tags: 'waltz',
    negative_tags: 'polka',
    auto_lyrics: true,
    style_weight: 0.5,
    weirdness_constraint: 0.1,
    audio_weight: 1,
  };

  it('are ignored silently when custom is false', () => {
    const body = { custom: false, gpt_description: 'a waltz', vocal_gender: 'M', ...customOnly };
    expect(create.warnings(body)).toEqual([]);
    const { requested } = create;
    expect(requested(body)).toEqual(requested({ custom: false, gpt_description: 'a waltz', vocal_gender: 'male' }));
  });

  it('are ignored silently when custom is true', () => {
    const body = { custom: true, gpt_description: 'a waltz', prompt: 'La' };
    expect(create.warnings(body)).toEqual([]);
    expect(create.requested(body)).not.toHaveProperty('description');
  });

  it('are ignored whatever they hold', () => {
    const wrong = { title: 'x'.repeat(81), tags: 7, style_weight: 'much', auto_lyrics: 'yes' } as JsonObject;
    const described = create.input({ custom: false, gpt_description: 'a waltz' });
    expect(create.input({ custom: false, gpt_description: 'a waltz', ...wrong })).toEqual(described);
    for (const gpt_description of [7, 'x'.repeat(3001)]) {
      expect(create.input({ prompt: 'La', gpt_description })).toEqual(create.input({ prompt: 'La' }));
    }
    expect(create.refused({ custom: 'no', gpt_description: 'a waltz' }).param).toBe('custom');
    expect(create.refused({ prompt: 7, gpt_description: 'a waltz' }).param).toBe('prompt');
  });

  it('are not confused with fields that no mode has, which warnings name', () => {
    const body = { gpt_description: 'a waltz', title: 'A', colour: 'blue' };
    expect(create.warnings(body)).toEqual(['colour was ignored: the model has no such field']);
  });

  it('all reach the request in their own mode', () => {
    expect(create.requested({ ...customOnly, vocal_gender: 'f', duration: 90 })).toEqual({
      operation: 'create',
      version: 'v5.5',
      custom: true,
      prompt: 'La',
      title: 'A',
      tags: 'waltz',
      negativeTags: 'polka',
      autoLyrics: true,
      styleWeight: 0.5,
      weirdness: 0.1,
      audioWeight: 1,
      vocalGender: 'female',
      instrumental: false,
      audioFormat: 'mp3',
      seconds: 90,
    } satisfies MusicRequest);
  });

  it('custom false needs a description even where there are lyrics', () => {
    expect(create.refused({ custom: false, prompt: 'La' }).param).toBe('gpt_description');
    expect(create.refused({ custom: false, gpt_description: ' ' }).param).toBe('gpt_description');
  });
});

describe('a custom track', () => {
  const tracks = {
    create,
    sample: onTrack('sample'),
    cover: onTrack('cover'),
    extend: onTrack('extend', { continue_at: 3 }),
  };

  it.each(Object.entries(tracks))('of %s requires nothing of the mode', (_name, { requested, refused }) => {
    for (const field of [{}, { negative_tags: 'polka' }, { prompt: 'La' }, { tags: 'rock' }, { title: 'Harbour' }]) {
      expect(requested({ custom: true, ...field })).toMatchObject({ custom: true });
    }
    expect(requested({ custom: true, instrumental: true })).toMatchObject({ custom: true });
    expect(refused({ custom: false }).param).toBe('gpt_description');
  });
});

describe('a wanted length', () => {
  it('is read in both modes', () => {
    for (const mode of [{ gpt_description: 'a waltz' }, { tags: 'waltz' }]) {
      expect(create.requested({ ...mode, duration: 20 })).toMatchObject({ seconds: 20 });
      expect(create.warnings({ ...mode, duration: 20 })).toEqual([]);
    }
  });
});

describe('sounds', () => {
  const sounds = operation('sounds', { prompt: 'a gong' });

  it('take a key in any letter case but that of the m: a large one is 400', () => {
    expect(sounds.requested({ key: 'c#m' })).toMatchObject({ key: 'C#m' });
    expect(sounds.requested({ key: 'c' })).toMatchObject({ key: 'C' });
    for (const key of ['CM', 'cM', 'A#M']) expect(sounds.refused({ key }).param).toBe('key');
  });
});

describe('version', () => {
  it.each(['adjust-speed', 'stems', 'lyrics'])('is discarded on %s, also from billing', (name) => {
    const base = { task_id: TASK, speed: 2, prompt: 'a' };
    const { entry, input, warnings } = operation(name, base);
    expect(input({ version: 'v5' })).not.toHaveProperty('version');
    expect(warnings({ version: 'v5' })).toContain('version was ignored: the model has no such field');
    const action = name.replace('-', '_');
    expect(entry.billing?.keys(input({ version: 'v5' }))).toEqual([`musicgen@${action}`, 'musicgen']);
    expect(catalogue.billingKeys.has(`musicgen@${action}-v5`)).toBe(false);
  });

  it('is v5 by default on remaster, and prices it', () => {
    const { entry, input } = onTrack('remaster');
    expect(input()).toMatchObject({ version: 'v5' });
    const override: [string, PriceOverride] = ['musicgen@remaster-v5.5', { perTask: 9n }];
    const book = createPriceBook(new Map([override]));
    expect(book.ratesOf(entry, input({ version: 'v5.5' }))).toEqual({ 'musicgen@remaster-v5.5': 9n });
    expect(book.ratesOf(entry, input())).toEqual({ musicgen: 80_000_000n });
  });
});

describe('a source track', () => {
  const crop = onTrack('crop', { start_s: 0, end_s: 60 });

  it('is named by task_id, and goes into the request with all that is known of it', () => {
    expect(crop.entry.source(crop.input())).toEqual({ field: 'task_id', taskId: TASK });
    const bound = crop.bound({ audio_index: 1 }, music);
    if (!bound.ok) throw new Error(bound.message);
    expect(crop.entry.request(bound.input, [])).toEqual({
      operation: 'crop',
      start: 0,
      end: 60,
      source: {
        taskId: TASK,
        channelId: 'suno',
        trackId: 'clip-1',
        jobId: 'job-7',
        seconds: 120.5,
        title: 'Harbour',
        audioUrl: 'https://media.example/1.mp3',
      },
    } satisfies MusicRequest);
  });

  it('is the first by default, and counted from 1', () => {
    expect(crop.bound({}, music)).toMatchObject({ input: { source: { trackId: 'clip-1' } } });
    expect(crop.bound({ audio_index: 2 }, music)).toMatchObject({ input: { source: { trackId: 'clip-2' } } });
    expect(crop.bound({ audio_index: 3 }, music)).toMatchObject({ ok: false, param: 'audio_index' });
    expect(crop.refused({ audio_index: 0 }).param).toBe('audio_index');
  });

  it('must be of a completed music task', () => {
    const { result, ...unfinished } = music;
    expect(crop.bound({}, { ...unfinished, status: 'processing' })).toMatchObject({ ok: false, param: 'task_id' });
    expect(crop.bound({}, { ...unfinished, status: 'failed' })).toMatchObject({ ok: false, param: 'task_id' });
    expect(crop.bound({}, { ...music, kind: 'image' })).toMatchObject({ ok: false, param: 'task_id' });
    expect(crop.bound({}, { ...music, result: { lyrics: [] } })).toMatchObject({ ok: false, param: 'task_id' });
  });

  it('brings its words and its cover along', () => {
    const words = { title: 'Harbour', lyrics: 'La', tags: 'waltz', image_url: 'https://media.example/1.jpg' };
    const track = { audio_id: 'c', duration: 9, audio_url: 'https://media.example/1.mp3', ...words };
    const bound = crop.bound({ end_s: 8 }, { ...music, result: { music: [track] } });
    if (!bound.ok) throw new Error(bound.message);
    expect(crop.entry.request(bound.input, [])).toMatchObject({
      source: { title: 'Harbour', lyrics: 'La', tags: 'waltz', imageUrl: 'https://media.example/1.jpg' },
    });
    expect(crop.entry.media(bound.input)).toMatchObject([
      { role: 'audio', url: 'https://media.example/1.mp3' },
      { role: 'image', url: 'https://media.example/1.jpg', optional: true },
    ]);
  });

  it('is named to the upstream that made it before all others', () => {
    const bound = crop.bound({}, music);
    if (!bound.ok) throw new Error(bound.message);
    expect(crop.entry.madeBy(bound.input)).toBe('suno');
    expect(create.entry.madeBy(create.input({ tags: 'a' }))).toBeUndefined();
  });

  it('cannot be removed as a whole', () => {
    const remove = onTrack('remove');
    expect(remove.bound({ start_s: 0, end_s: 120.5 }, music)).toMatchObject({ ok: false, param: 'end_s' });
    expect(remove.bound({ start_s: 0.01, end_s: 120.45 }, music)).toMatchObject({ ok: false, param: 'end_s' });
    expect(remove.bound({ start_s: 0, end_s: 120 }, music)).toMatchObject({ ok: true });
  });

  it('has words to be aligned only where a model knows it', () => {
    const aligned = onTrack('aligned-lyrics');
    const edited = { title: 'Harbour', duration: 9, audio_id: '', audio_url: 'https://media.example/1.mp3' };
    expect(aligned.bound({}, music)).toMatchObject({ ok: true });
    expect(aligned.bound({}, { ...music, result: { music: [edited] } })).toMatchObject({ ok: false, param: 'task_id' });
  });

  it('cannot be smuggled in by a caller', () => {
    expect(crop.input({ source: { audioUrl: 'http://10.0.0.1/' } })).not.toHaveProperty('source');
  });

  it.each<[name: string, within: JsonObject, beyond: JsonObject, params: string[]]>([
    ['crop', { start_s: 0, end_s: 120.5 }, { start_s: 0, end_s: 120.6 }, ['end_s']],
    ['remove', { start_s: 10, end_s: 20 }, { start_s: 121, end_s: 130 }, ['start_s', 'end_s']],
    ['replace', { start_s: 10, end_s: 20 }, { start_s: 10, end_s: 121 }, ['end_s']],
    ['sample', { tags: 'a', start_s: 10, end_s: 20 }, { tags: 'a', start_s: 130 }, ['start_s']],
    ['extend', { tags: 'a', continue_at: 120.5 }, { tags: 'a', continue_at: 121 }, ['continue_at']],
    ['fade', { fade_in_s: 60, fade_out_s: 60 }, { fade_in_s: 61, fade_out_s: 60 }, ['fade_out_s']],
    ['fade', { fade_in_s: 120 }, { fade_in_s: 121, fade_out_s: 121 }, ['fade_in_s', 'fade_out_s']],
  ])('%s stays within its length', (name, within, beyond, params) => {
    expect(onTrack(name).bound(within, music)).toMatchObject({ ok: true });
    const refused = onTrack(name).bound(beyond, music);
    expect(refused).toMatchObject({ ok: false, params, message: expect.stringContaining('120.5 seconds') });
  });

  it('lends a sample the bounds that were left open', () => {
    const sample = onTrack('sample', { tags: 'a' });
    const bound = sample.bound({ start_s: 100 }, music);
    if (!bound.ok) throw new Error(bound.message);
    expect(sample.entry.request(bound.input, [])).toMatchObject({ start: 100, end: 120.5 });
  });
});

it.each<[name: string, body: JsonObject, param: string]>([
  ['crop', { start_s: 1 }, 'end_s'],
  ['crop', { end_s: 1 }, 'start_s'],
  ['crop', { start_s: 2, end_s: 2 }, 'end_s'],
  ['sample', { tags: 'a', start_s: 5, end_s: 4 }, 'end_s'],
  ['replace', { start_s: 1 }, 'end_s'],
  ['extend', { tags: 'a' }, 'continue_at'],
  ['extend', { tags: 'a', continue_at: 0 }, 'continue_at'],
  ['fade', {}, 'fade_in_s'],
  ['fade', { fade_in_s: 0 }, 'fade_in_s'],
  ['fade', { fade_in_s: 0, fade_out_s: 0 }, 'fade_in_s'],
  ['fade', { fade_in_s: 1, fade_out_s: -1 }, 'fade_out_s'],
])('%s refuses %p by the name of the field', (name, body, param) => {
  expect(onTrack(name).refused(body).param).toBe(param);
});

it.each(['crop', 'remove', 'fade', 'adjust-speed'])(
  '%s has the sound of its source fetched, for whoever needs no vendor',
  (name) => {
    const model = onTrack(name, { start_s: 0, end_s: 30, fade_in_s: 1, speed: 2 });
    const bound = model.bound({ audio_index: 2 }, music);
    if (!bound.ok) throw new Error(bound.message);
    const [sound, ...others] = model.entry.media(bound.input);
    expect(sound).toMatchObject({ field: 'task_id', role: 'audio', url: 'https://media.example/2.mp3' });
    expect([sound?.inspectOnly, others]).toEqual([undefined, []]);
  },
);

it('bpm has the sound of its source fetched if it is still there', () => {
  const model = onTrack('bpm');
  const bound = model.bound({}, music);
  if (!bound.ok) throw new Error(bound.message);
  expect(model.entry.media(bound.input)).toMatchObject([
    { role: 'audio', url: 'https://media.example/1.mp3', optional: true },
  ]);
});

it('a side that fades over no time does not fade', () => {
  const fade = onTrack('fade');
  expect(fade.requested({ fade_in_s: 0, fade_out_s: 3 })).toEqual({ operation: 'fade', fadeOut: 3 });
  expect(fade.requested({ fade_in_s: 3, fade_out_s: 0 })).toEqual({ operation: 'fade', fadeIn: 3 });
});

it.each(['crop', 'remove', 'fade', 'adjust-speed'])(
  '%s gives its result another format where that is asked for',
  (name) => {
    const model = onTrack(name, { start_s: 0, end_s: 30, fade_in_s: 1, speed: 2 });
    expect(model.requested({ audio_format: 'WAV' })).toMatchObject({ audioFormat: 'wav' });
    expect(model.requested({})).not.toHaveProperty('audioFormat');
    expect(model.refused({ audio_format: 'ogg' }).param).toBe('audio_format');
  },
);

it('lyrics_model is passed through, whatever it is', () => {
  const lyrics = operation('lyrics', { prompt: 'a ferry' });
  expect(lyrics.requested({ lyrics_model: 'Newest' })).toEqual({
    operation: 'lyrics',
    prompt: 'a ferry',
    lyricsModel: 'Newest',
  });
  expect(lyrics.requested()).not.toHaveProperty('lyricsModel');
  expect(refuse(lyrics.entry, {}).param).toBe('prompt');
});

it.each([
  ['crop', { start_s: 0, end_s: 8 }, ['all', 'some', 'none']],
  ['remove', { start_s: 0, end_s: 8 }, ['all', 'some', 'none']],
  ['fade', { fade_in_s: 1 }, ['all', 'some', 'none']],
  ['adjust-speed', { speed: 2 }, ['all', 'some', 'none']],
  ['extend', { continue_at: 5, prompt: 'The tide comes in' }, ['some', 'some', 'none']],
] as const)('%s of a track makes of the caller’s part in it what it is then', (name, body, parts) => {
  const model = operation(name, { task_id: music.id, audio_index: 1 });
  const found = (['all', 'some', 'none'] as const).map((callersPart) => {
    const bound = model.bound(body, { ...music, callersPart });
    return 'input' in bound ? model.entry.callersPart(bound.input) : bound;
  });
  expect(found).toEqual(parts);
});

it('what is uploaded is the caller’s, and what is asked for in words is not', () => {
  const upload = operation('upload', { audio_url: 'https://example.com/a.mp3' });
  expect(upload.entry.callersPart(upload.input())).toBe('all');
  const create = operation('create', { prompt: 'The tide comes in' });
  expect(create.entry.callersPart(create.input())).toBe('none');
});

it('what is uploaded is fetched here: what is kept as the track is what was judged', () => {
  const upload = operation('upload', { audio_url: 'https://example.com/a.mp3' });
  expect(upload.media({})).toMatchObject([{ field: 'audio_url', role: 'audio' }]);
  expect(upload.media({})[0]).not.toHaveProperty('inspectOnly');
  expect(upload.refused({ audio_url: 'a.mp3' }).param).toBe('audio_url');
});
