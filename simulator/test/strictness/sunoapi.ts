import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { authorization: `Bearer ${keyOf('sunoapi')}` };
const hook = { callBackUrl: 'http://127.0.0.1/hook' };
const DESCRIBED = { customMode: false, instrumental: true, style: undefined, title: undefined };
const refusal = (code = '400') => ({
  status: 200,
  body: { code: Number(code), msg: expect.any(String), data: null },
});

export const sunoapiTracks: Strictness = {
  name: 'sunoapi tracks',
  request: (body) => ({ path: '/sunoapi/api/v1/generate', headers, body }),
  good: {
    customMode: true,
    instrumental: false,
    model: 'V5_5',
    prompt: '[Verse]\nShips come home\n[Chorus]\nLights',
    style: 'folk, 120 bpm, A minor',
    title: 'Harbour',
    duration: 14,
    ...hook,
  },
  refusal,
  refuses: [
    ['no style', { style: ' ' }],
    ['no title', { title: undefined }],
    ['no lyrics', { prompt: undefined }],
    ['no description', { ...DESCRIBED, prompt: '' }],
    ['a long description', { ...DESCRIBED, prompt: 'x'.repeat(501) }, '413'],
    ['lyrics too long for the model', { model: 'V4', prompt: 'x'.repeat(3_001) }, '413'],
    ['a style too long for the model', { model: 'V4', style: 'x'.repeat(201) }, '413'],
    ['a long title', { title: 'x'.repeat(101) }, '413'],
  ],
  takes: [['a description', DESCRIBED, { body: { code: 200, msg: 'success' } }]],
  requests: [['a wrong key', { headers: { authorization: 'Bearer wrong' } }, { body: { code: 401, data: null } }]],
};

export const sunoapiExtensions: Strictness = {
  name: 'sunoapi extensions',
  request: (body) => ({ path: '/sunoapi/api/v1/generate/extend', headers, body }),
  good: {
    defaultParamFlag: true,
    audioId: '{sunoapi track}',
    model: 'V5',
    continueAt: 10,
    style: 'x',
    title: 'x',
    instrumental: true,
    ...hook,
  },
  refusal,
  refuses: [
    ['no second to go on from', { continueAt: undefined }],
    ['a second beyond the song', { continueAt: 14 }],
    ['a song that nobody made', { audioId: 'nobody' }],
  ],
};
