import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { authorization: `Bearer ${keyOf('ark')}` };
const PRO = { model: 'dola-seedream-5-0-pro-260628' };
const V5 = { model: 'seedream-5-0-260128' };
const inputs = (count: number) => Array.from({ length: count }, () => '{data a.png}');
const outputs = (count: number) => ({
  sequential_image_generation: 'auto',
  sequential_image_generation_options: { max_images: count },
});
const of = (size: string) => ({ status: 200, body: { data: [{ size }] } });

export const arkImages: Strictness = {
  name: 'ark images',
  request: (body) => ({ path: '/ark/api/v3/images/generations', headers, body }),
  good: { model: 'seedream-4-0-250828', prompt: 'a heron' },
  refusal: (param = '', code = 'InvalidParameter') => ({
    status: 400,
    body: { error: { code, param, type: 'BadRequest', message: expect.stringContaining('Request id: 021') } },
  }),
  refuses: [
    ['a missing prompt', { prompt: undefined }, 'prompt', 'MissingParameter'],
    ['a ratio for a size', { size: '16:9' }, 'size'],
    ['a preset it does not have', { size: '3K' }, 'size'],
    ['a short side below 1024', { size: '1920x1008' }, 'size'],
    ['more pixels than 4096x4096', { size: '4096x4112' }, 'size'],
    ['eleven inputs', { image: inputs(11) }, 'image'],
    [
      'inputs and outputs beyond fifteen together',
      { image: '{data a.png}', ...outputs(15) },
      'sequential_image_generation_options.max_images',
    ],
    ['1K of 5.0', { ...V5, size: '1K' }, 'size'],
    ['4K of 5.0', { ...V5, size: '4K' }, 'size'],
    ['a million pixels of 5.0', { ...V5, size: '1024x1024' }, 'size'],
    ['fifteen inputs of 5.0', { ...V5, image: inputs(15) }, 'image'],
    ['several images of 5.0 Pro', { ...PRO, sequential_image_generation: 'disabled' }, 'sequential_image_generation'],
    ['3K of 5.0 Pro', { ...PRO, size: '3K' }, 'size'],
    ['more pixels than 5.0 Pro makes', { ...PRO, size: '3072x3072' }, 'size'],
  ],
  takes: [
    ['ten inputs', { image: inputs(10) }, { status: 200 }],
    ['fourteen inputs of 5.0', { ...V5, image: inputs(14) }, { status: 200 }],
    ['2K of 5.0', { ...V5, size: '2K' }, of('2048x2048')],
    ['3K of 5.0', { ...V5, size: '3K' }, of('3072x3072')],
    ['4096x2304 of 5.0', { ...V5, size: '4096x2304' }, of('4096x2304')],
    ['2560x1440 of 5.0', { ...V5, size: '2560x1440' }, of('2560x1440')],
    ['2K of 5.0 Pro', { ...PRO, size: '2K' }, of('2048x2048')],
  ],
  requests: [
    ['a wrong key', { headers: { authorization: 'Bearer other' } }, { status: 401 }],
    [
      'an unknown model',
      { body: { model: 'seedream-9', prompt: 'p' } },
      { status: 404, body: { error: { code: 'InvalidEndpointOrModel.NotFound' } } },
    ],
    ['an unknown path', { path: '/ark/api/v3/videos' }, { status: 404, warnings: ['unknown path'] }],
  ],
};

const words = { type: 'text', text: 'p' };
const image = (role?: string, url = '{url large.png}') => ({ type: 'image_url', image_url: { url }, role });
const sound = { type: 'audio_url', audio_url: { url: '{url song.mp3}' } };
const taken = { status: 200 };

export const arkVideos: Strictness = {
  name: 'ark videos',
  request: (body) => ({ path: '/ark/api/v3/contents/generations/tasks', headers, body }),
  good: { model: 'dreamina-seedance-2-0-260128', content: [words] },
  refusal: (code = 'InvalidParameter', status = '400') => ({ status: Number(status), body: { error: { code } } }),
  refuses: [
    ['a model it does not have', { model: 'seedance-9' }, 'InvalidEndpointOrModel.NotFound', '404'],
    ['three seconds', { duration: 3 }],
    ['1080p of the fast model', { model: 'dreamina-seedance-2-0-fast-260128', resolution: '1080p' }],
    ['an image that cannot be had', { content: [image(undefined, 'http://127.0.0.1:1/x.png')] }],
    ['references of 1.5', { model: 'seedance-1-5-pro-251215', content: [image('reference_image')] }],
    ['a sound alone', { content: [words, sound] }],
    ['a last frame alone', { content: [image('last_frame')] }],
  ],
  takes: [
    ['a frame, also of 1.5', { model: 'seedance-1-5-pro-251215', content: [image()] }, taken],
    ['references', { content: [words, image('reference_image')] }, taken],
    ['a sound beside a reference', { content: [words, image('reference_image'), sound] }, taken],
    ['two frames', { content: [image('first_frame'), image('last_frame')] }, taken],
    ['a field that it does not know', { prompt_optimizer: true }, { warnings: ["unknown field 'prompt_optimizer'"] }],
  ],
};
