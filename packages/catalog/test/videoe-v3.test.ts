import type { JsonObject } from '@mediagate/contracts';
import { modelUnderTest, urls } from './model-under-test';

const { input, warnings, refused, requested, media, reserved } = modelUnderTest('videoe-v3', {
  prompt: 'A heist',
});
const bare = modelUnderTest('videoe-v3');

const shot = (index: number, duration: number, prompt = 'A door') => ({ index, prompt, duration });
const shots = (...multi_prompt: JsonObject[]) => ({ multi_shot: true, shot_type: 'customize', multi_prompt });
const element = (name: string, images = 2) => ({
  name,
  description: 'A detective',
  element_input_urls: urls(images),
});

it('aspect_ratio is ignored with an image, which has its own', () => {
  const withImage = { image_urls: urls(1), aspect_ratio: '1:1' };
  expect(requested(withImage)).not.toHaveProperty('aspectRatio');
  expect(warnings(withImage)).toEqual(['aspect_ratio was ignored: the video has the ratio of the image']);
});

it('image_urls: at most 2: first frame, or first and last', () => {
  const [first, last] = urls(2);
  expect(requested({ image_urls: urls(2) })).toMatchObject({
    inputs: [
      { role: 'first_frame', url: first },
      { role: 'last_frame', url: last },
    ],
  });
  expect(refused({ image_urls: ['', ...urls(1)] }).param).toBe('image_urls[0]');
});

it('negative_prompt, audio and watermark reach the request', () => {
  expect(requested({ negative_prompt: 'rain', audio: true, watermark: false })).toMatchObject({
    negativePrompt: 'rain',
    audio: true,
    watermark: false,
  });
});

describe('prompt', () => {
  it('is required, also with images', () => {
    for (const body of [{}, { prompt: ' ' }, { image_urls: urls(1) }]) {
      expect(bare.refused(body).message).toBe('prompt is required unless multi_shot is true');
    }
  });

  it('may be omitted when multi_shot is true, with either shot_type, with and without images', () => {
    const planned = { multi_shot: true, shot_type: 'intelligence' };
    for (const body of [shots(shot(1, 5)), planned, { ...planned, image_urls: urls(1) }]) {
      expect(bare.requested(body)).not.toHaveProperty('prompt');
      expect(bare.warnings(body)).toEqual([]);
    }
    expect(bare.requested(planned)).toMatchObject({ shots: 'auto' });
    expect(bare.refused({ multi_shot: false, shot_type: 'intelligence' }).param).toBe('prompt');
  });
});

describe('several shots', () => {
  it('shot_type is required when multi_shot is true', () => {
    expect(refused({ multi_shot: true }).message).toBe(
      'shot_type is required with multi_shot: customize or intelligence',
    );
    expect(refused({ multi_shot: true, shot_type: 'other' }).param).toBe('shot_type');
    expect(requested({ multi_shot: true, shot_type: 'Intelligence' })).toMatchObject({ shots: 'auto' });
  });

  it('multi_prompt is required with customize: 1 to 6 shots', () => {
    for (const body of [{ multi_shot: true, shot_type: 'customize' }, shots()]) {
      expect(refused(body).message).toContain('multi_prompt is required');
    }
    const six = [1, 2, 3, 4, 5, 6].map((index) => shot(index, 1));
    expect(requested({ ...shots(...six), duration: 6 })).toMatchObject({
      shots: Array(6).fill({ prompt: 'A door', seconds: 1 }),
    });
  });

  it('index from 1, continuous; the list itself may be in any order', () => {
    expect(requested(shots(shot(2, 2, 'second'), shot(1, 3, 'first')))).toMatchObject({
      shots: [
        { prompt: 'first', seconds: 3 },
        { prompt: 'second', seconds: 2 },
      ],
    });
    for (const indexes of [
      [2, 3],
      [1, 3],
      [1, 1],
      [2, 2],
    ]) {
      const [first = 0, second = 0] = indexes;
      expect(refused(shots(shot(first, 2), shot(second, 3))).message).toMatch(
        /^multi_prompt must number its shots from 1 to 2/,
      );
    }
  });

  it('durations sum to the top-level duration', () => {
    expect(refused(shots(shot(1, 2), shot(2, 2))).message).toBe(
      'multi_prompt must last 5 seconds in all, as duration says; its shots last 4',
    );
    expect(refused({ ...shots(shot(1, 5)), duration: 6 }).param).toBe('multi_prompt');
  });

  it('what has no effect is ignored, with a warning to whoever sent it', () => {
    const planned = { multi_shot: true, shot_type: 'intelligence', multi_prompt: [shot(1, 2)] };
    const ignored = 'multi_prompt was ignored: it only goes with multi_shot and shot_type customize';
    expect(warnings(planned)).toEqual([ignored]);
    expect(requested(planned)).toMatchObject({ shots: 'auto' });
    const single = { shot_type: 'customize', multi_prompt: [shot(1, 2)] };
    expect(warnings(single)).toEqual(['shot_type was ignored: it only goes with multi_shot', ignored]);
    expect(input(single)).toEqual(input());
  });
});

describe('elements', () => {
  it('each with name, description and 2 to 4 images, the first frontal', () => {
    const prompt = '@Iris, @Otto and @Wim';
    const three = { prompt, element_list: [element('Iris'), element('Otto', 4), element('Wim', 3)] };
    expect(requested(three)).toMatchObject({
      elements: [{ name: 'Iris', description: 'A detective', imageUrls: urls(2) }, { name: 'Otto' }, { name: 'Wim' }],
    });
    expect(media(three)).toHaveLength(9);
    expect(refused({ element_list: [{ ...element('Iris'), name: ' ' }] }).message).toBe(
      'element_list[0].name is required',
    );
  });

  it('no name contains another', () => {
    expect(refused({ element_list: [element('Iris'), element('Irish')] }).param).toBe('element_list[0].name');
    expect(refused({ element_list: [element('Iris'), element('Iris')] }).param).toBe('element_list[0].name');
  });

  it('one that no prompt calls is accepted with a warning', () => {
    expect(warnings({ element_list: [element('Iris')] })).toEqual([
      'element_list[0]: no prompt mentions it as @ and its name',
    ]);
    expect(warnings({ prompt: 'Enter @Irisa', element_list: [element('Iris')] })).toHaveLength(1);
    expect(warnings({ prompt: '@Irisa meets @Iris.', element_list: [element('Iris')] })).toEqual([]);
    expect(warnings({ prompt: '@小猫在跑', element_list: [element('小猫')] })).toEqual([]);
    expect(warnings({ prompt: 'Enter @Iris', element_list: [element('Iris')] })).toEqual([]);
    expect(warnings({ ...shots(shot(1, 5, '@Iris waits')), element_list: [element('Iris')] })).toEqual([]);
  });
});

it('costs its seconds at its mode, and more with sound', () => {
  const rates = { 'per_second.720P': 2n, 'per_second.1080P': 4n, 'per_second.4K': 8n, audio_factor: 1_500_000_000n };
  expect(['std', 'pro', '4k'].map((mode) => reserved({ mode, duration: 10 }, rates))).toEqual([20n, 40n, 80n]);
  expect(reserved({ mode: 'pro', duration: 10, audio: true }, rates)).toBe(60n);
});
