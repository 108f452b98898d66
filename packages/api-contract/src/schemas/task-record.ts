import { REASONS, TASK_KINDS, TASK_STATUSES } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyObject, anyWord, integer, listOf, number, object, oneOf, ref, string, unixSeconds, wrapped } from './build';

const ID = string('The task’s id: `task_` and 26 characters.');
const expires = unixSeconds('When the links end');

const files = { url: listOf(string(), 'One link a file.'), expires_at: expires };

/** The result of a finished task; its kind decides which fields there are. */
const result: JsonSchema = {
  ...object({
    'images?': listOf(object({ ...files, 'index?': integer('Place in a grid, from 1.') })),
    'videos?': listOf(
      object({
        ...files,
        'duration?': number('Seconds.'),
        'width?': integer(),
        'height?': integer(),
        'cover_url?': string('An image of it.'),
      }),
    ),
    'audios?': listOf(object({ ...files, 'duration?': number('Seconds.') }), 'The sounds; `music` has them, too.'),
    'music?': listOf(ref('MusicTrack'), 'In order, counted from 1.'),
    'lyrics?': listOf(object({ 'title?': string(), text: string(), 'tags?': string() })),
    'text?': string('The first text of the lyrics.'),
    'description?': string('What the image shows.'),
    'provenance?': listOf(
      object({ url: string('The file’s link.'), sources: listOf(ref('ProvenanceSource')), 'mark?': ref('ResultMark') }),
      'Files whose vendor stated in them where they come from, or that the service marks.',
    ),
  }),
  additionalProperties: true,
};

const error = object({
  code: { const: 'task_failed' },
  message: string('For people, in the language asked for; may be reworded.'),
  type: { const: 'task_failed' },
  param: string('Path of the field at fault, or empty.'),
  reason: anyWord(Object.keys(REASONS), 'Never changes its meaning; new ones may come.'),
});

/** Generators of clients for Python cannot read a boolean `const`. */
const IS_TEST: JsonSchema = {
  type: 'boolean',
  enum: [true],
  description: 'Only of a task of a test key: a simulator made it, and it is free.',
};

export const recordFields = {
  id: ID,
  status: oneOf(TASK_STATUSES, '`completed` and `failed` never change.'),
  progress: { type: 'integer', minimum: 0, maximum: 100, description: '100 once the task has ended.' },
  created: unixSeconds('When it was submitted'),
  model: string(),
  kind: anyWord(TASK_KINDS),
  cost: number('Currency units charged so far: 0 until the task is completed, and 0 if it failed.'),
  credits_cost: number('`cost` in credits.'),
  reserved: number('Currency units held for it, the most it can cost; 0 once it has ended.'),
  'test?': IS_TEST,
  'parent_task_id?': string('The task whose result this one works on.'),
  'metadata?': anyObject('`metadata` of the submission.'),
  'next_action?': ref('NextAction'),
  'completed?': unixSeconds('When it ended'),
  'actual_time?': integer('Seconds from `created` to `completed`; when completed.'),
  'result?': ref('TaskResult'),
  'usage?': anyObject('`input_tokens`, `output_tokens` and `total_tokens` of images.'),
  'error?': ref('TaskError'),
  'callback?': ref('Callback'),
} as const;

/** Fields that the record of one task has where `include` asks for them. */
const includedFields = {
  'input?': anyObject('What the body came to: the model’s fields, with addresses without their queries.'),
  'attempts?': listOf(
    object({
      number: integer('Number of the attempt, from 1.'),
      state: oneOf(['starting', 'accepted', 'succeeded', 'refused', 'unknown'], '`unknown`: its outcome is not known.'),
      'reason?': anyWord(Object.keys(REASONS), 'Why not, where it came to nothing.'),
      started_at: unixSeconds('When it began'),
      ended_at: { type: ['integer', 'null'], description: 'Unix seconds; null: under way.' },
    }),
    'What was tried, in order.',
  ),
  'ledger?': listOf(ref('LedgerEntry'), 'Of the task alone, the newest first.'),
};

const imgtoolFields = {
  action: string('What was asked for: `imagine`, `upscale`, …'),
  prompt: string(),
  buttons: listOf(object({ custom_id: string(), label: string() }), 'What can be done with the image.'),
  grid_image_url: string('Link of the grid, or empty.'),
  image_urls: listOf(string(), 'The four images of a grid in their places.'),
  description: string('What an image shows, or empty.'),
  fail_reason: string('Empty unless the task failed.'),
  awaits_modal: { type: 'boolean', description: 'An inpaint whose modal may be sent now.' },
};

const orNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

export const statedFields = {
  standard: anyWord(['c2pa', 'iptc', 'gb45438'], '`iptc`: a digital source type in XMP; `gb45438`: the Chinese label.'),
  source_type: orNull('The IPTC digital source type, for example `trainedAlgorithmicMedia`.'),
  issuer: orNull('Who states it: the organisation of the certificate, the credit, or the producer’s number.'),
  generator: orNull('The program that wrote it.'),
  valid: {
    type: ['boolean', 'null'],
    description:
      'Of C2PA: the signature fits, and the file that it stood in has the bytes that were signed. It does not say that the certificate is one to trust. Null: not checked, or nothing is signed.',
  },
  problem: orNull('Why it is not valid, was not checked, or cannot be read.'),
};

const provenanceSource = object(
  {
    ...statedFields,
    kept: { type: 'boolean', description: 'The file of this link still has it, or carries it on in a manifest.' },
  },
  'One statement of a file about its origin, as it stood in the vendor’s file.',
);

const resultMark = object(
  {
    state: oneOf(
      ['written', 'signed', 'unsigned', 'stated', 'unmarked'],
      '`written`: as XMP. `signed`: by a manifest of C2PA, in which the vendor’s own is carried on. `unsigned`: as XMP or by the vendor, where it was to be signed. `stated`: the vendor’s file says so itself, and is not touched. `unmarked`: it carries no mark.',
    ),
    source_type: orNull(
      'The IPTC digital source type that was written; of a manifest that is carried on, the vendor’s.',
    ),
    problem: orNull('Why there is none, or why it is not signed.'),
  },
  'The service’s own mark of a file as made by a model.',
);

export const TASK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ResultMark: resultMark,
  ProvenanceSource: provenanceSource,
  NextAction: object(
    { type: anyWord(['modal']), method: { const: 'POST' }, path: string(), task_id: ID },
    'The task waits for its caller: an inpaint for its modal, sent to `path` with this `task_id`.',
  ),
  TaskRecord: object(recordFields, 'A task: what polls answer and callbacks carry.'),
  ShownTaskRecord: object(
    { ...recordFields, ...includedFields },
    'The record of one task, with what was asked for beside it.',
  ),
  CancelledTask: object(
    { ...recordFields, released: number('Currency units that were held for it and no longer are.') },
    'A task that was cancelled: `failed`, with the reason `cancelled`.',
  ),
  WaitedTask: object(
    { ...recordFields, 'warnings?': listOf(string(), 'What was ignored or changed.') },
    'What a submission answers that waited for the end of its task.',
  ),
  WaitedAnswer: wrapped(ref('WaitedTask')),
  MusicTaskRecord: object(
    { ...recordFields, status: oneOf(['pending', 'completed', 'failed']) },
    'A music task: `pending` until it has ended; `progress` 10 queued, 50 at work or ready to be listened to, 100 done.',
  ),
  ImgtoolTaskRecord: object({ ...recordFields, ...imgtoolFields }, 'A task of the image tool.'),
  MissingTask: object({
    id: string('The id that was asked for.'),
    status: { const: 'not_found' },
    error: object({
      code: { const: 404 },
      message: string(),
      type: { const: 'not_found' },
      reason: { const: 'not_found' },
    }),
  }),
  TaskResult: result,
  TaskError: error,
  MusicTrack: {
    ...object({
      audio_id: string('Empty where no vendor knows the track.'),
      title: string(),
      lyrics: string(),
      tags: string(),
      'duration?': number('Seconds.'),
      audio_url: string(),
      image_url: string('Cover, or empty.'),
      'video_url?': string(),
      expires_at: expires,
    }),
  },
  Lineage: object({
    id: ID,
    ancestors: listOf(ref('TaskRecord'), 'Tasks whose results led to this one, the nearest first.'),
    descendants: listOf(ref('TaskRecord'), 'What goes back to it, generation by generation.'),
    truncated: { type: 'boolean', description: 'There are more than are shown.' },
  }),
  Acknowledgement: object({
    code: { const: 200 },
    data: {
      ...listOf(
        object({
          status: { const: 'submitted' },
          task_id: ID,
          'warnings?': listOf(string(), 'What was ignored or changed.'),
        }),
      ),
      minItems: 1,
      maxItems: 1,
    },
  }),
};

export const TASK_EXAMPLE = {
  id: 'task_01m7y2sj24fztvyr284w6jthg6',
  status: 'completed',
  progress: 100,
  created: 1795232155,
  model: 'imagegen-2.5-flare',
  kind: 'image',
  cost: 0.026925,
  credits_cost: 0.26925,
  reserved: 0,
  completed: 1795232163,
  actual_time: 8,
  result: { images: [{ url: ['https://gateway.example/v1/files/01m7y2sj.png'], expires_at: 1795318563 }] },
  usage: { input_tokens: 117, output_tokens: 878, total_tokens: 995 },
};

export const CANCELLED_EXAMPLE = {
  id: 'task_01m7y2sj24fztvyr284w6jthg6',
  status: 'failed',
  progress: 100,
  created: 1795232155,
  model: 'imagegen-2.5-flare',
  kind: 'image',
  cost: 0,
  credits_cost: 0,
  reserved: 0,
  completed: 1795232157,
  error: {
    message: 'The task was canceled at the request of its account.',
    type: 'task_failed',
    param: '',
    code: 'task_failed',
    reason: 'cancelled',
  },
  released: 0.026925,
};

export const ACKNOWLEDGEMENT_EXAMPLE = {
  code: 200,
  data: [{ status: 'submitted', task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
};
