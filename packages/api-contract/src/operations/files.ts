import type { Answer, Content, Operation } from '../operation';
import { integer, json, object, string, unixSeconds } from '../schemas/build';
import { OPEN, SUBMIT } from './access';

const bytes: Content = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };
const file: Record<string, Content> = { 'image/*': bytes, 'video/*': bytes, 'audio/*': bytes };

const part: Answer = { description: 'The part asked for.', content: file, headers: ['ETag', 'Content-Range'] };

/** Uploads, and the links of uploads and results. */
export const FILE_OPERATIONS = {
  uploadImage: {
    ...SUBMIT,
    tag: 'Files',
    path: '/v1/uploads/images',
    summary: 'Upload an image',
    description: 'JPEG, PNG, WebP or GIF, told by its bytes. The link goes into `image_urls` and lasts 72 hours.',
    body: {
      content: {
        'multipart/form-data': {
          schema: object({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }),
        },
        ...json(object({ data: string('A data URL.'), 'filename?': string() })),
      },
    },
    answers: {
      200: {
        description: 'The image as it is kept.',
        content: json(
          object({
            url: string(),
            filename: string(),
            content_type: string(),
            bytes: integer(),
            width: integer(),
            height: integer(),
            created_at: unixSeconds('When it was sent'),
            expires_at: unixSeconds('When the link ends'),
          }),
        ),
      },
    },
    refusals: [403],
  },
  getFile: {
    ...OPEN,
    tag: 'Files',
    path: '/v1/files/{name}',
    summary: 'Read a result or an upload',
    description:
      'The links of results and uploads: they need no key. Takes `HEAD`, `Range` (one range) and `If-Range`.',
    parameters: [
      { in: 'query', name: 'expires', description: 'Of the link.', schema: { type: 'string' } },
      { in: 'query', name: 'signature', description: 'Of the link.', schema: { type: 'string' } },
    ],
    answers: {
      200: { description: 'The file.', content: file, headers: ['ETag'] },
      206: part,
      304: { description: 'You have it already, by `If-None-Match`.', headers: ['ETag'] },
    },
    refusals: [403, 404, 410, 416],
  },
} satisfies Record<string, Operation>;
