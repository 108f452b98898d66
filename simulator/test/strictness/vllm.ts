import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { authorization: `Bearer ${keyOf('vllm')}` };

export const vllm: Strictness = {
  name: 'vllm',
  request: (body) => ({ path: '/vllm/v1/videos', headers, body, files: [] }),
  good: { model: 'Wan-AI/Wan2.2-TI2V-5B-Diffusers', prompt: 'a heron' },
  refusal: (status) => ({ status: Number(status) }),
  refuses: [
    ['a model that it does not run', { model: 'Wan-AI/Wan9' }, '404'],
    ['no prompt', { prompt: '' }, '422'],
    ['half a second', { seconds: '0.5' }, '422'],
    ['a size that is none', { size: '720p' }, '422'],
    ['pixels that are no multiples of sixteen', { size: '1280x721' }, '400'],
    ['a seed that is no number', { seed: 'seven' }, '422'],
    ['an image for words alone', { model: 'Wan-AI/Wan2.2-T2V-A14B-Diffusers', image_reference: '{}' }, '400'],
    ['a link that is none', { image_reference: '{"file_id":"x"}' }, '422'],
  ],
};
