import type { Operation } from '../operation';
import { anyWord, fileBytes, integer, json, listOf, object, ref, string, unixSeconds, wrapped } from '../schemas/build';
import { statedFields } from '../schemas/task-record';
import { SUBMIT } from './access';

export const ORIGIN_EXAMPLE = {
  content_type: 'image/jpeg',
  sources: [],
  compared: 'appearance',
  results: [
    {
      task_id: 'task_01m7y2sj24fztvyr284w6jthg6',
      output: 1,
      kind: 'image',
      same_bytes: false,
      distance: 3,
      created_at: 1795521600,
    },
  ],
};

/** A form with the file, or the address of one. */
export const FILE_OR_URL = {
  content: {
    'multipart/form-data': { schema: object({ file: fileBytes() }) },
    ...json(object({ url: string('URL of the file; a link of this service is accepted, too.') }), {
      url: 'https://example.com/boat.jpg',
    }),
  },
};

/** Where files come from. */
export const PROVENANCE_OPERATIONS = {
  verifyFile: {
    ...SUBMIT,
    tag: 'Files',
    scope: 'own',
    path: '/v1/provenance/verify',
    summary: 'Find out where a file comes from',
    description:
      'What the file states about its origin, and the results that it resembles, of those that the key sees, where the service keeps fingerprints. At most 100 MB, an image 20 MB unless the operator set another limit, and nothing of it is kept. Of a video, images of its first seconds are compared, and of a sound their spectrum, if the service has ffmpeg. `compared` says whether the bytes alone were.',
    body: FILE_OR_URL,
    answers: {
      200: {
        description: 'What was found.',
        content: json(wrapped(ref('FileOrigin')), { code: 200, data: ORIGIN_EXAMPLE }),
      },
    },
    refusals: [403, 413],
  },
} satisfies Record<string, Operation>;

const similarFields = {
  task_id: string('Id of the task; its record may already be deleted.'),
  output: integer('The place of the file among those of its task, from 1; covers do not count.'),
  kind: anyWord(['image', 'video', 'audio']),
  same_bytes: { type: 'boolean', description: 'It is the file as it was delivered.' },
  distance: {
    type: 'integer',
    minimum: 0,
    maximum: 10,
    description:
      'Of 64 bits, those in which the images or sounds differ: 0 to 6 as a rule where one was made of the other, 10 where an edge was cut off.',
  },
  created_at: unixSeconds('When its task ended'),
} as const;

const compared = anyWord(
  ['appearance', 'bytes', 'nothing'],
  'The most that the file was compared by: what it shows or sounds like; its bytes alone, as of an image or a video of more than 16 megapixels, of what shows a single shade, of a sound of less than three seconds, of what was not read within 20 seconds, and of a video or a sound where the service has no ffmpeg; nothing, where there are no results to compare it with.',
);

export const PROVENANCE_SCHEMAS = {
  FileSource: object(statedFields, 'One statement of a file about its origin.'),
  FileOrigin: object({
    content_type: string('Found from the bytes of the file.'),
    sources: listOf(ref('FileSource')),
    compared,
    results: listOf(ref('SimilarResult'), 'The nearest first, 20 at most.'),
  }),
  SimilarResult: object(similarFields),
  AnyFileOrigin: object({
    content_type: string('Found from the bytes of the file.'),
    sources: listOf(ref('FileSource')),
    compared,
    results: listOf(ref('SimilarResultOfAny'), 'The nearest first, 20 at most.'),
  }),
  SimilarResultOfAny: object({ ...similarFields, account_id: string('Id of the account that owns the result.') }),
};
