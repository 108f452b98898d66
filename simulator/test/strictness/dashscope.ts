import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { authorization: `Bearer ${keyOf('dashscope')}`, 'x-dashscope-async': 'enable' };
const path = '/dashscope/api/v1/services/aigc/video-generation/video-synthesis';
const frame = { type: 'first_frame', url: '{url large.png}' };
const as = (type: string) => ({ ...frame, type });
const notes = { type: 'file', url: '{url notes.txt}' };
const clip = { type: 'reference_video', url: '{url long.mp4}' };
const clear = { media: [{ ...frame, url: '{data clear.png}' }] };
const T6 = { model: 'wan2.6-t2v' };
const I7 = { model: 'wan2.7-i2v' };
const V3 = { model: 'wan3.0-video' };

export const dashscope: Strictness = {
  name: 'dashscope',
  request: (body) => ({ path, headers, body }),
  good: { model: 'wan2.7-t2v', input: { prompt: 'a heron' } },
  refusal: (code = 'InvalidParameter') => ({
    status: 400,
    body: { code, message: expect.any(String), request_id: expect.any(String) },
  }),
  refuses: [
    ['an unknown model', { model: 'wan9' }],
    ['multiple shots without prompt extension', { ...T6, parameters: { shot_type: 'multi', prompt_extend: false } }],
    ['a last frame alone', { ...I7, input: { media: [as('last_frame')] } }],
    ['two first frames', { ...I7, input: { media: [frame, frame] } }],
    ['neither prompt nor media', { ...V3, input: {} }],
    ['frames with references', { ...V3, input: { media: [frame, as('reference_image')] } }],
    ['a file and a link', { ...V3, input: { media: [notes, { ...notes, type: 'link' }] } }],
    ['a file unextended', { ...V3, input: { media: [notes] }, parameters: { prompt_extend: false } }],
    ['more video than is left of the length', { ...V3, input: { media: [clip] }, parameters: { duration: 17 } }],
    ['more video than fits', { ...V3, input: { media: [clip, clip] } }],
    ['an image with an alpha channel', { ...V3, input: clear }],
    ['a file that is not there', { model: 'wan2.6-i2v', input: { img_url: '{url none.png}' } }, 'InvalidURL'],
    ['a host it cannot reach', { model: 'wan2.6-i2v', input: { img_url: 'http://192.0.2.1/x.png' } }, 'InvalidURL'],
    ['a link that is none', { model: 'wan2.6-i2v', input: { img_url: 'x.png' } }, 'InvalidURL'],
  ],
  takes: [
    ['a file', { ...V3, input: { media: [notes] } }, { status: 200 }],
    ['references', { ...V3, input: { prompt: 'p', media: [as('reference_image')] } }, { status: 200 }],
    ['an image with an alpha channel for 2.7', { ...I7, input: clear }, { status: 200 }],
    [
      'fields of another generation',
      { parameters: { size: '1280*720', shot_type: 'single' } },
      {
        body: { output: { task_status: 'PENDING' } },
        warnings: [
          "unknown field 'parameters.size' for wan2.7-t2v",
          "unknown field 'parameters.shot_type' for wan2.7-t2v",
        ],
      },
    ],
  ],
  requests: [
    [
      'a synchronous call',
      { headers: { ...headers, 'x-dashscope-async': 'disable' } },
      { status: 403, body: { code: 'AccessDenied' } },
    ],
    ['a wrong key', { headers: { ...headers, authorization: 'Bearer other' } }, { status: 401 }],
    [
      'a check with a wrong key',
      { path: '/dashscope/api/v1/tasks/x', headers: { authorization: 'Bearer other' }, body: undefined },
      { status: 401, body: { code: 'InvalidApiKey' } },
    ],
    ['a path it does not have', { path: '/dashscope/api/v1/videos' }, { status: 400 }],
  ],
};
