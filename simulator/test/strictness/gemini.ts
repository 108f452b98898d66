import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const headers = { 'x-goog-api-key': keyOf('gemini') };
const path = '/gemini/v1beta/models/gemini-2.5-flash-image:generateContent';
const text = { text: 'p' };
const images = (count: number, data: string, mimeType = 'image/png') => ({
  contents: [{ parts: [text, ...Array.from({ length: count }, () => ({ inlineData: { mimeType, data } }))] }],
});
const config = (generationConfig: object) => ({ generationConfig });
const saying = (message: string) => ({ status: 400, body: { error: { message: expect.stringContaining(message) } } });

export const geminiImages: Strictness = {
  name: 'gemini images',
  request: (body) => ({ path, headers, body }),
  good: { contents: [{ parts: [text] }] },
  refusal: (message = '') => ({
    status: 400,
    body: { error: { code: 400, message: expect.stringContaining(message), status: 'INVALID_ARGUMENT' } },
  }),
  refuses: [
    ['a part without data', { contents: [{ parts: [{}] }] }],
    ['a ratio that is not in the table', config({ imageConfig: { aspectRatio: '7:5' } })],
    ['an image size, which this model does not have', config({ imageConfig: { imageSize: '2K' } })],
    ['two candidates', config({ candidateCount: 2 })],
    ['text alone', config({ responseModalities: ['TEXT'] })],
    ['a file link', { contents: [{ parts: [text, { fileData: { fileUri: 'https://example.org/x.png' } }] }] }],
    ['bytes that are no image', images(1, '{base64 page.html}')],
    ['data that is not base64', images(1, '<>')],
    ['another type of file', images(1, 'AAAA', 'image/gif')],
    ['no text at all', { contents: [{ parts: [{ text: ' ' }] }] }],
    ['four input images', images(4, '{base64 a.png}')],
    ['an input image over 7 MB', images(1, '{base64 eight-megabytes}'), '7340032'],
  ],
  takes: [['three input images', images(3, '{base64 a.png}'), { status: 200 }]],
  requests: [
    ['a request over 20 MB', { body: images(2, '{base64 eight-megabytes}') }, saying('20971520')],
    [
      'an unknown field, with its place',
      { body: { contents: [{ parts: [text] }], generationConfig: { imageConfig: { ratio: '1:1' } } } },
      {
        body: {
          error: {
            message:
              'Invalid JSON payload received. Unknown name "ratio" at \'generation_config.image_config\': Cannot find field.',
            details: [
              {
                '@type': 'type.googleapis.com/google.rpc.BadRequest',
                fieldViolations: [{ field: 'generation_config.image_config.ratio' }],
              },
            ],
          },
        },
      },
    ],
    ['no key', { headers: {} }, { status: 403, body: { error: { status: 'PERMISSION_DENIED' } } }],
    [
      'a wrong key',
      { headers: { 'x-goog-api-key': 'AIza-other' } },
      { status: 400, body: { error: { details: [{ reason: 'API_KEY_INVALID' }] } } },
    ],
    [
      'an unknown model',
      { path: path.replace('2.5-flash-image', '3-pro-imaginary') },
      { status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } },
    ],
    [
      'its key in the URL, with a warning',
      { path: `${path}?key=${keyOf('gemini')}`, headers: {} },
      { status: 200, warnings: [expect.stringContaining('key')] },
    ],
  ],
};

const prompt = 'p';
const png = { mimeType: 'image/png', bytesBase64Encoded: '{base64 a.png}' };
const started = (instance: object, parameters: object = {}) => ({ instances: [instance], parameters });
const references = [{ image: png, referenceType: 'asset' }];

export const geminiVideos: Strictness = {
  name: 'gemini videos',
  request: ({ model, ...body }) => ({ path: `/gemini/v1beta/models/${model}:predictLongRunning`, headers, body }),
  good: { model: 'veo-3.1-generate-preview', ...started({ prompt }) },
  refusal: (status = 'INVALID_ARGUMENT', code = '400') => ({ status: Number(code), body: { error: { status } } }),
  refuses: [
    ['a model it does not have', { model: 'veo-3.0-generate-001' }, 'NOT_FOUND', '404'],
    ['four seconds of 1080p', { parameters: { durationSeconds: 4, resolution: '1080p' } }],
    ['4k of the lite model', { model: 'veo-3.1-lite-generate-preview', parameters: { resolution: '4k' } }],
    ['adults alone without an image', { parameters: { personGeneration: 'allow_adult' } }],
    ['an image that is none', started({ prompt, image: { ...png, bytesBase64Encoded: 'AAAA' } })],
    ['a last frame alone', started({ prompt, lastFrame: png })],
    ['references beside a frame', started({ prompt, image: png, referenceImages: references })],
    ['six seconds of references', started({ prompt, referenceImages: references }, { durationSeconds: 6 })],
  ],
  takes: [
    ['two frames', started({ prompt, image: png, lastFrame: png }), { status: 200 }],
    ['references', started({ prompt, referenceImages: references }), { status: 200 }],
  ],
};
