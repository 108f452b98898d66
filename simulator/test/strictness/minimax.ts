import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { authorization: `Bearer ${keyOf('minimax')}` };
const verdict = (code: number) => ({ status: 200, body: { base_resp: { status_code: code } } });
const frames = { prompt: undefined, first_frame_image: '{data 400x400.png}', last_frame_image: '{data 400x400.png}' };

export const minimax: Strictness = {
  name: 'minimax',
  request: (body) => ({ path: '/minimax/v1/video_generation', headers, body }),
  good: { model: 'MiniMax-Hailuo-02', prompt: 'p' },
  refusal: () => ({
    status: 200,
    body: { base_resp: { status_code: 2013, status_msg: expect.stringContaining('invalid params') } },
  }),
  refuses: [
    ['a model it does not have', { model: 'MiniMax-Hailuo-99' }],
    ['10 seconds at 1080P', { duration: 10, resolution: '1080P' }],
    ['512P without an image', { resolution: '512P' }],
    ['512P with two frames', { ...frames, resolution: '512P' }],
    ['no prompt', { prompt: undefined }],
    ['a last frame alone', { last_frame_image: '{data 400x400.png}' }],
    ['an image that cannot be had', { first_frame_image: 'http://127.0.0.1:1/x.png' }],
    ['an image that is too small', { first_frame_image: '{data 300x400.png}' }],
    ['an image that is too long', { first_frame_image: '{data 301x800.png}' }],
  ],
  takes: [['two frames', frames, verdict(0)]],
  requests: [
    ['no key', { headers: {} }, verdict(1004)],
    ['a wrong key', { headers: { authorization: 'Bearer other' } }, verdict(2049)],
    [
      'a task it does not know',
      { path: '/minimax/v1/query/video_generation?task_id=1', body: undefined },
      verdict(2013),
    ],
    ['a file it does not know', { path: '/minimax/v1/files/retrieve?file_id=91', body: undefined }, verdict(2013)],
    ['no file', { path: '/minimax/v1/files/retrieve', body: undefined }, verdict(2013)],
  ],
};
