import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const root = '/replicate/v1';
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const headers = bearer(keyOf('replicate'));

export const replicate: Strictness = {
  name: 'replicate',
  request: (input) => ({ path: `${root}/models/minimax/hailuo-02/predictions`, headers, body: { input } }),
  good: { prompt: 'p' },
  refusal: (field) => ({ status: 422, body: { title: 'Input validation failed', invalid_fields: [{ field }] } }),
  refuses: [
    ['a length it does not have', { duration: 5 }, 'input.duration'],
    ['an image that cannot be had', { first_frame_image: 'http://127.0.0.1:1/x.png' }, 'input.first_frame_image'],
    ['no prompt', { prompt: undefined }, 'input'],
  ],
  requests: [
    ['whose account it is', { path: `${root}/account`, body: undefined }, { status: 200 }],
    ['a wrong token', { path: `${root}/account`, headers: bearer('x'), body: undefined }, { status: 401 }],
    ['a prediction that is not there', { path: `${root}/predictions/none`, body: undefined }, { status: 404 }],
    [
      'a version that is not there',
      { path: `${root}/predictions`, body: { version: 'f'.repeat(64), input: {} } },
      { body: { title: 'Invalid version or not permitted', status: 422 } },
    ],
  ],
};
