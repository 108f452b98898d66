import { createHmac } from 'node:crypto';
import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const pathOf = (name: unknown) => `/kling/v1/videos/${name}`;
const OMNI = { path: 'omni-video', model_name: 'kling-v3-omni', prompt: 'x' };
const FROM_IMAGE = { path: 'image2video', prompt: undefined };
const IMAGE = '{base64 400x400.png}';
const BOTH = { image: IMAGE, image_tail: IMAGE };
const shot = { index: 1, prompt: 'x', duration: '5' };
const cut = { prompt: undefined, multi_shot: true, shot_type: 'customize' };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The simulator's clock has been moved on by less. */
const DAY = 86_400;
const now = Math.floor(Date.now() / 1_000);
const claims = { iss: 'sim-kling-access-key', exp: now + DAY, nbf: now - 5 };
const signed = (changed: object, { alg = 'HS256', secret = 'sim-kling-secret-key' } = {}) => {
  const text = `${part({ alg, typ: 'JWT' })}.${part({ ...claims, ...changed })}`;
  return bearer(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`);
};
const refusedBy = (code: number) => ({ status: 401, body: { code } });
const question = { path: '/kling/tasks?task_ids=1', body: undefined };

export const klingVideos: Strictness = {
  name: 'kling videos',
  request: ({ path, ...body }) => ({ path: pathOf(path), headers: bearer(keyOf('kling')), body }),
  good: { path: 'text2video', model_name: 'kling-v3', prompt: 'a heron' },
  refusal: (code = '1201', status = '400') => ({
    status: Number(status),
    body: { code: Number(code), request_id: expect.any(String) },
  }),
  refuses: [
    ['no prompt', { prompt: undefined }],
    ['elements without images', { element_list: [{ element_id: '1' }] }],
    ['an element it does not know', { ...OMNI, element_list: [{ element_id: 1 }] }],
    ['shots of no kind', { multi_shot: true }],
    ['shots without words', { ...cut, prompt: 'a heron' }],
    ['shots that do not sum up', { ...cut, prompt: 'a heron', multi_prompt: [shot], duration: '6' }],
    ['shots out of order', { ...cut, multi_prompt: [{ ...shot, index: 2 }] }],
    ['a last frame beside shots', { ...cut, path: 'image2video', ...BOTH, multi_prompt: [shot] }],
    ['what is not to be seen for omni', { ...OMNI, negative_prompt: 'y' }],
    ['an image that cannot be had', { ...FROM_IMAGE, image: 'http://127.0.0.1:1/x.png' }],
    ['an image that is too small', { ...FROM_IMAGE, image: '{base64 299x400.png}' }],
    ['an image that is too long', { ...FROM_IMAGE, image: '{base64 300x760.png}' }],
    ['a data URL', { ...FROM_IMAGE, image: '{data 400x400.png}' }],
    ['a model of another path', { path: 'omni-video' }, '1203', '404'],
    ['a path it does not have', { path: 'text3video' }, '1202', '404'],
  ],
  takes: [
    ['an image', { ...FROM_IMAGE, image: IMAGE }, { body: { code: 0 } }],
    ['two frames', { ...FROM_IMAGE, ...BOTH }, { body: { code: 0 } }],
    ['shots from an image', { ...cut, path: 'image2video', image: IMAGE, multi_prompt: [shot] }, { body: { code: 0 } }],
  ],
  requests: [
    ['a token that its secret has signed', { headers: signed({}) }, { status: 200, body: { code: 0 } }],
    ['another issuer', { headers: signed({ iss: 'other' }) }, refusedBy(1002)],
    ['another secret', { headers: signed({}, { secret: 'other' }) }, refusedBy(1002)],
    ['no algorithm', { headers: signed({}, { alg: 'none' }) }, refusedBy(1002)],
    ['no times', { headers: signed({ exp: undefined, nbf: undefined }) }, refusedBy(1002)],
    ['a time to come', { headers: signed({ nbf: now + DAY }) }, refusedBy(1003)],
    ['a time past', { headers: signed({ exp: now - 1 }) }, refusedBy(1004)],
    ['no token', { headers: bearer('other') }, refusedBy(1002)],
    ['a check with another secret', { ...question, headers: signed({}, { secret: 'other' }) }, refusedBy(1002)],
    ['a check without a key', { ...question, headers: {} }, { body: { code: 1001 } }],
  ],
};
