import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { authorization: `Bearer ${keyOf('openai')}` };
const refusal = (param = '', code = 'invalid_value') => ({
  status: 400,
  body: { error: { message: expect.any(String), type: 'invalid_request_error', param, code } },
});
const GPT2 = { model: 'gpt-image-2' };
const square = (model: string, quality: string, tokens: number): [string, object, object] => [
  `${model} at quality ${quality}`,
  { model, quality, n: 2 },
  { status: 200, body: { data: [{}, {}], usage: { output_tokens: 2 * tokens } } },
];
const size = (words: string): [string, object, object] => [words, { size: words, quality: 'low' }, { status: 200 }];
const RATES = {
  'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
  'x-ratelimit-limit-requests': '100000',
  'x-ratelimit-remaining-requests': expect.stringMatching(/^\d+$/),
  'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/),
};

export const openaiGenerations: Strictness = {
  name: 'openai generations',
  request: (body) => ({ path: '/openai/v1/images/generations', headers, body }),
  good: { model: 'gpt-image-2.5-flare', prompt: 'p', size: '1024x1024' },
  refusal,
  refuses: [
    ['a missing prompt', { prompt: undefined }, 'prompt', 'missing_required_parameter'],
    ['an empty prompt', { prompt: '' }, 'prompt', 'empty_string'],
    ['a prompt of 32,001 characters', { prompt: 'x'.repeat(32_001) }, 'prompt', 'string_above_max_length'],
    ['a missing model', { model: undefined }, 'model', 'missing_required_parameter'],
    ['n of 0', { n: 0 }, 'n', 'integer_below_min_value'],
    ['n of 11', { n: 11 }, 'n', 'integer_above_max_value'],
    ['a fraction of an image', { n: 1.5 }, 'n', 'invalid_type'],
    ['an unknown parameter', { image_urls: [] }, 'image_urls', 'unknown_parameter'],
    ['a size that is not a multiple of 16', { size: '1000x1024' }, 'size'],
    ['a ratio beyond 3:1', { size: '3200x1024' }, 'size'],
    ['an edge beyond 3840', { size: '3856x2048' }, 'size'],
    ['too few pixels', { size: '800x800' }, 'size'],
    ['too many pixels', { size: '3840x2176' }, 'size'],
    ['a ratio for a size', { size: '16:9' }, 'size'],
    ['an unknown quality', { quality: 'hd' }, 'quality'],
    ['xhigh on gpt-image-2', { ...GPT2, quality: 'xhigh' }, 'quality'],
    ['max on gpt-image-2', { ...GPT2, quality: 'max' }, 'quality'],
    ['a transparent jpeg', { background: 'transparent', output_format: 'jpeg' }, 'background'],
    ['compression of a png', { output_compression: 50 }, 'output_compression'],
  ],
  takes: [
    square('gpt-image-2', 'low', 196),
    square('gpt-image-2', 'auto', 1_756),
    square('gpt-image-2-2026-04-21', 'high', 7_024),
    square('gpt-image-2.5-sunburst', 'low', 196),
    square('gpt-image-2.5-sunburst', 'auto', 439),
    square('gpt-image-2.5-flare-2026-09-08', 'xhigh', 3_122),
    square('gpt-image-2.5-flare', 'max', 7_024),
    size('2560x1440'),
    size('3840x2160'),
    size('2160x3840'),
    size('1344x576'),
    ['with its request id and rates', { quality: 'low' }, { headers: RATES }],
  ],
  requests: [
    ['an unknown model', { body: { model: 'imagegen-2.5-flare', prompt: 'p' } }, { status: 404 }],
    ['a wrong key', { headers: { authorization: 'Bearer sk-other' } }, { status: 401, headers: RATES }],
    ['an unknown path', { path: '/openai/v1/images/variations' }, { status: 404 }],
    ['text that is no JSON', { body: '{"model":' }, { status: 400 }],
  ],
};

const PNG = 'image/png';
const files = (...named: string[]) => ({ files: named.map((name) => ['image[]', name, PNG]) });
const mask = (name: string, image = 'large.png') => ({
  files: [
    ['image', image, PNG],
    ['mask', name, PNG],
  ],
});

export const openaiEdits: Strictness = {
  name: 'openai edits',
  request: ({ files, ...body }) => ({ path: '/openai/v1/images/edits', headers, body, files: files as [] }),
  good: { ...GPT2, prompt: 'p', size: '1024x1024', quality: 'low', ...files('a.png') },
  refusal,
  refuses: [
    ['a mask of another size than the first image', mask('narrow-mask.png'), 'mask', 'invalid_mask_image_size'],
    ['a mask without an alpha channel', mask('large.png'), 'mask', 'invalid_mask_image_format'],
    ['a mask that is no PNG', mask('mask.webp'), 'mask', 'invalid_mask_image_format'],
    ['a mask of over 4 MB', mask('noise.png', 'noise.png'), 'mask', 'mask_too_large'],
    ['more than sixteen images', files(...Array(17).fill('a.png')), 'image', 'array_above_max_length'],
    ['a file without an image type', { files: [['image', 'a.png', '']] }, 'image', 'unsupported_file_mimetype'],
    ['bytes that are no image', files('page.html'), 'image', 'invalid_image_file'],
    ['an image that breaks off', files('cut.png'), 'image', 'invalid_image_file'],
    ['no image', { files: [] }, 'image', 'missing_required_parameter'],
    ['an unknown field', { response_format: 'b64_json' }, 'response_format', 'unknown_parameter'],
    [
      'an unknown file',
      {
        files: [
          ['image', 'a.png', PNG],
          ['photo', 'a.png', PNG],
        ],
      },
      'photo',
      'unknown_parameter',
    ],
    ['a bad number', { n: 'two' }, 'n', 'invalid_type'],
    ['input_fidelity', { input_fidelity: 'high' }, 'input_fidelity', 'invalid_input_fidelity_model'],
  ],
  takes: [['a mask', mask('mask.png'), { status: 200 }]],
  requests: [
    [
      'a form that breaks off',
      {
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
        files: undefined,
        body: '--b\r\ncontent-disposition: form-data; name="image"; filename="f"\r\ncontent-type: image/png\r\n\r\nabc',
      },
      { status: 400 },
    ],
  ],
};
