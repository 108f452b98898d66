import { secret } from '../mj';
import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const check = { path: '/mj/task/1/fetch', body: undefined };
const unknownTask = { status: 404, body: { code: 3 } };
const to = (submit: string, fields: object = {}) => ({ submit, prompt: undefined, ...fields });
const images = (count: number) => Array.from({ length: count }, () => '{data a.png}');
const video = (fields: object) => ({ submit: 'video', image: '{data a.png}', ...fields });

export const mj: Strictness = {
  name: 'mj',
  request: ({ submit, ...body }) => ({ path: `/mj/submit/${submit}`, headers: secret, body }),
  good: { submit: 'imagine', prompt: 'a lighthouse' },
  refusal: () => ({ status: 200, body: { code: 4, result: null, properties: {} } }),
  refuses: [
    ['no prompt', { prompt: undefined }],
    ['an empty prompt', { prompt: ' ' }],
    ['a prompt of flags alone', { prompt: '--ar 1:1' }],
    ['an image as bare base64', { base64Array: ['AAAA'] }],
    ['an image that is none', { base64Array: ['data:image/png;base64,AAAA'] }],
    ['nothing to describe', to('describe')],
    ['a link that cannot be had', to('describe', { link: 'http://127.0.0.1:1/x.png' })],
    ['nothing to shorten', to('shorten', { prompt: '' })],
    ['no image to video', video({ image: undefined })],
    ['a video made longer without its task', to('video', { action: 'extend', index: 0 })],
  ],
  takes: [
    ['five images to blend', to('blend', { base64Array: images(5), dimensions: 'SQUARE' }), { status: 200 }],
    ['an image to video', video({ batchSize: 2, videoType: 'vid_1.1_i2v_720', motion: 'low' }), { status: 200 }],
    [
      'a field that it does not know',
      to('describe', { base64: '{data 400x400.png}', image_url: 'x' }),
      {
        warnings: ["unknown field 'image_url'"],
        request: { base64: { sha256: expect.any(String) } },
      },
    ],
  ],
  requests: [
    ['its key as a bearer', { headers: bearer(keyOf('mj')) }, { status: 200, accepted: true }],
    ['no key', { headers: {} }, { status: 401 }],
    ['another key', { headers: { 'mj-api-secret': 'other' } }, { status: 401 }],
    ['another bearer', { headers: bearer('other') }, { status: 401 }],
    [
      'a wrong key beside a good bearer',
      { headers: { 'mj-api-secret': 'x', ...bearer(keyOf('mj')) } },
      { status: 401 },
    ],
    ['a check without a key', { ...check, headers: {} }, { status: 401 }],
    ['a check with another key', { ...check, headers: { 'mj-api-secret': 'other' } }, { status: 401 }],
    ['a body that is no JSON', { body: '{' }, { body: { code: 4 } }],
    [
      'a button of a task it does not know',
      { path: '/mj/submit/action', body: { taskId: '17', customId: 'MJ::JOB::upsample::1::x' } },
      unknownTask,
    ],
    [
      'words for a task it does not know',
      { path: '/mj/submit/modal', body: { taskId: '17', prompt: 'p' } },
      unknownTask,
    ],
    [
      'forbidden words',
      { body: { prompt: 'a Nude statue' } },
      { status: 200, body: { code: 24, properties: { bannedWord: 'Nude', promptEn: 'a Nude statue' } } },
    ],
    [
      'a path that there is not',
      { path: '/mj-fast/mj/submit/imagines' },
      { status: 404, wire: 'mj', operation: 'unknown' },
    ],
  ],
};
