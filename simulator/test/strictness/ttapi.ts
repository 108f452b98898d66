import { keyOf } from '../simulator-under-test';
import type { Fields, Strictness } from './table';

const headers = { 'tt-api-key': keyOf('ttapi') };
const root = '/ttapi/suno/v1';
const WORDS = ['prompt', 'tags', 'title'].map((name) => [name, undefined]);
const DESCRIBED = { ...Object.fromEntries(WORDS), custom: false, instrumental: true };
const refusal = (message = '') => ({
  status: 400,
  body: { status: 'FAILED', message: expect.stringContaining(message), data: null },
});

export const ttapiTracks: Strictness = {
  name: 'ttapi tracks',
  request: (body) => ({ path: `${root}/music`, headers, body }),
  good: {
    mv: 'chirp-v5-5',
    custom: true,
    instrumental: false,
    prompt: '[Verse]\nShips come home\n[Chorus]\nLights',
    tags: 'folk, 120 bpm, A minor',
    title: 'Harbour',
  },
  refusal,
  refuses: [
    ['no model', { mv: undefined }],
    ['no lyrics', { prompt: ' ' }],
    ['no description', DESCRIBED],
  ],
  takes: [
    ['a description', { ...DESCRIBED, gpt_description_prompt: 'rain on tin roofs' }, { status: 200 }],
    [
      'a field that it does not know',
      { audio_format: 'wav', hookUrl: 'http://127.0.0.1/hook' },
      { status: 200, warnings: ["unknown field 'audio_format'", 'hookUrl is not called'] },
    ],
  ],
  requests: [
    ['a wrong key', { headers: { 'tt-api-key': 'wrong' } }, { status: 401, body: { status: 'FAILED' } }],
    ['no job', { path: '/ttapi/suno/v2/fetch', body: {} }, { status: 400 }],
    [
      'an unknown job',
      { path: '/ttapi/suno/v2/fetch?jobId=nothing', body: undefined },
      { body: { status: 'FAILED', message: 'Job not found' } },
    ],
    ['lyrics of no prompt', { path: `${root}/lyrics`, body: {} }, { status: 400 }],
    [
      'lyrics of an unknown model',
      { path: `${root}/lyrics`, body: { prompt: 'x', lyrics_model: 'gpt' } },
      { status: 400 },
    ],
    ...['{url gone.mp3}', '{url page.html}', 'http://192.0.2.1/a.mp3'].map(
      (link): Row => [
        `an upload of ${link}`,
        { path: `${root}/upload`, body: { audio_url: link } },
        refusal('audio_url: '),
      ],
    ),
  ],
};
type Row = NonNullable<Strictness['requests']>[number];

/** Good fields of each operation on a track. */
const OPERATIONS: Record<string, Fields> = {
  extend: { custom: true, instrumental: true, continue_at: 3 },
  concat: {},
  cover: { mv: 'chirp-v5', custom: true },
  sample: { custom: true, instrumental: true, start_s: 1, end_s: 2 },
  'replace-section': { start_s: 1, end_s: 2 },
  stems: {},
  remaster: { mv: 'chirp-v5' },
  crop: { crop_start_s: 1, crop_end_s: 2 },
  'remove-section': { crop_start_s: 1, crop_end_s: 2 },
  'fade-in': { fade_time_s: 1, title: 'x' },
  'fade-out': { fade_time_s: 1, title: 'x' },
  'adjust-speed': { speed_multiplier: 2, keep_pitch: true, title: 'x' },
  alignedLyrics: {},
  'gen-midi': {},
  'gen-bpm': {},
};
/** Questions, which make nothing. */
const FREE = new Set(['alignedLyrics', 'gen-midi', 'gen-bpm']);
const MISUSES: [action: string, Fields][] = [
  ['extend', { continue_at: 6.5 }],
  ['sample', { end_s: undefined }],
  ['sample', { start_s: 2, end_s: 1 }],
  ['replace-section', { end_s: 7 }],
  ['crop', { crop_start_s: 2 }],
  ['crop', { crop_start_s: 2, crop_end_s: 6.5 }],
  ['remove-section', { crop_start_s: 0, crop_end_s: 6 }],
  ['fade-out', { fade_time_s: 7 }],
];

/** Operations on a track of six seconds. */
export const ttapiEdits: Strictness = {
  name: 'ttapi edits',
  request: ({ action, ...fields }) => ({
    path: `${root}/${action}`,
    headers,
    body: { music_id: '{ttapi track}', ...OPERATIONS[String(action)], ...fields },
  }),
  good: { action: 'concat' },
  refusal,
  refuses: [
    ...Object.keys(OPERATIONS).flatMap((action): Strictness['refuses'] => [
      [`${action} of a track that nobody made`, { action, music_id: 'nobody' }, 'music_id does not exist'],
      [`${action} of a track that is not finished`, { action, music_id: '{ttapi unfinished}' }],
    ]),
    ...MISUSES.map(([action, change]): Strictness['refuses'][number] => [
      `${action} with ${JSON.stringify(change)}`,
      { action, ...change },
    ]),
    ['a result that would be too long', { action: 'adjust-speed', music_id: '{ttapi long}', speed_multiplier: 0.25 }],
  ],
  takes: Object.keys(OPERATIONS).map((action) => [action, { action }, { status: 200, accepted: !FREE.has(action) }]),
};
