import type { Answer, Content, Operation } from '../operation';
import { fileBytes, integer, json, object, oneOf, page, ref, string, unixSeconds, wrapped } from '../schemas/build';
import { FILE_EXAMPLE } from '../schemas/file-record';
import { CURSOR, LIMIT, OPEN, QUERY, SUBMIT, UNCHANGED } from './access';

const bytes: Content = { schema: fileBytes() };
const file: Record<string, Content> = {
  'image/*': bytes,
  'video/*': bytes,
  'audio/*': bytes,
  'application/*': bytes,
  'text/*': { ...bytes, example: '# A boat' },
};
const tag = 'Files';
/** Every key may send files; one of the scope `own` sees only what it, or a key that it made, has sent. */
const files = { tag, scope: 'own' } as const;
const record: Answer = {
  description: 'The file as it is kept.',
  content: json(wrapped(ref('FileRecord')), { code: 200, data: FILE_EXAMPLE }),
};

const part: Answer = { description: 'The part asked for.', content: file, headers: ['ETag', 'Content-Range'] };

/** Files and uploads, and the links of both and of results. */
export const FILE_OPERATIONS = {
  uploadImage: {
    ...SUBMIT,
    ...files,
    path: '/v1/uploads/images',
    summary: 'Upload an image',
    description: 'JPEG, PNG, WebP or GIF, told by its bytes. The link goes into `image_urls` and lasts 72 hours.',
    body: {
      content: {
        'multipart/form-data': {
          schema: object({ file: fileBytes() }),
        },
        ...json(object({ data: string('A data URL.'), 'filename?': string() }), {
          data: 'data:image/png;base64,iVBORw0KGgo…',
          filename: 'boat.png',
        }),
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
  createFile: {
    ...SUBMIT,
    ...files,
    path: '/v1/files',
    summary: 'Send a file',
    description:
      'An image, audio, video or document of at most 100 MB, judged by its bytes at once. Its id or link goes wherever a submission takes a URL, for 72 hours.',
    parameters: [
      {
        in: 'query',
        name: 'include',
        description: '`provenance`: what the file states about its origin is read, too.',
        schema: oneOf(['provenance']),
      },
    ],
    body: {
      content: {
        'multipart/form-data': {
          schema: object({ file: fileBytes() }),
        },
      },
    },
    answers: { 200: record },
    refusals: [403],
  },
  listFiles: {
    ...QUERY,
    ...files,
    path: '/v1/files',
    summary: 'List files',
    description:
      'Uploads that the key sees, sent in whatever way, that have not expired; the newest first. All of the account count against its quota of uploads.',
    parameters: [LIMIT, CURSOR],
    answers: {
      200: {
        description: 'A page of files.',
        content: json(page(ref('FileRecord')), { code: 200, data: [FILE_EXAMPLE], next_cursor: null, has_more: false }),
      },
    },
  },
  announceFile: {
    ...SUBMIT,
    ...files,
    path: '/v1/files/presign',
    summary: 'Get a link for an upload to the storage',
    description:
      'For large files and slow lines: the bytes go to the storage without passing the API. Send them with `method`, `url` and `headers` as answered, and then complete the file. What was announced counts against the quota of uploads, for an hour at most if it is not completed. 409 where the service keeps files on its own disk.',
    body: {
      content: json(object({ bytes: { type: 'integer', minimum: 1, maximum: 104_857_600 } }), { bytes: 73400320 }),
    },
    answers: {
      200: {
        description: 'The link to send the bytes to.',
        content: json(
          wrapped(
            object({
              id: string('Id of the file once the upload is completed.'),
              method: oneOf(['PUT']),
              url: string(),
              headers: { type: 'object', additionalProperties: { type: 'string' } },
              expires_at: unixSeconds('When the link ends'),
            }),
          ),
        ),
      },
    },
    refusals: [403, 409],
  },
  completeFile: {
    ...SUBMIT,
    ...files,
    path: '/v1/files/{file}/complete',
    summary: 'Complete an upload to the storage',
    description:
      'Judged as one that is sent to `POST /v1/files`. A file that is refused is removed, and its id with it. Completing it again answers the same.',
    answers: { 200: record },
    refusals: [403, 404, 409, 413],
  },
  getFile: {
    ...OPEN,
    tag,
    path: '/v1/files/{name}.{extension}',
    summary: 'Download a result or an upload',
    description:
      'The links of results and uploads: they need no key. Takes `HEAD`, `Range` (one range) and `If-Range`.',
    parameters: [
      { in: 'query', name: 'expires', description: 'Part of the signed link.', schema: { type: 'string' } },
      { in: 'query', name: 'signature', description: 'Part of the signed link.', schema: { type: 'string' } },
    ],
    answers: {
      200: { description: 'The file.', content: file, headers: ['ETag'] },
      206: part,
      302: { description: 'The file is in the storage, at `Location`, for five minutes.', headers: ['Location'] },
      304: UNCHANGED,
    },
    refusals: [403, 404, 410, 416],
  },
  getFileRecord: {
    ...QUERY,
    ...files,
    path: '/v1/files/{file}',
    summary: 'Read the record of a file',
    description: 'To a key that does not see it, it is 404.',
    answers: { 200: record },
    refusals: [404],
  },
  deleteFile: {
    ...QUERY,
    ...files,
    method: 'delete',
    path: '/v1/files/{file}',
    summary: 'Delete a file',
    description:
      'Its bytes are removed, its id and link end, and what it took of the quota of uploads is free. A task that still needs it fails and is refunded. Only the key that sent it may, or one with the right `manage`. Deleting it again is 404: nothing of it is left to read.',
    answers: {
      200: {
        description: 'It is gone.',
        content: json(wrapped(object({ id: string(), deleted: { const: true } }))),
      },
    },
    refusals: [403, 404],
  },
} satisfies Record<string, Operation>;
