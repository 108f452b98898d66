import type { Answer, JsonSchema, Operation } from '../operation';
import { fileBytes, json, ref, wrapped } from '../schemas/build';
import { ACKNOWLEDGEMENT_EXAMPLE } from '../schemas/task-record';
import {
  DRY_RUN,
  IDEMPOTENCY,
  IF_NONE_MATCH,
  LANGUAGE,
  PREFER,
  QUERY,
  STRICT,
  SUBMISSION_REFUSALS,
  SUBMIT,
  UNCHANGED,
} from './access';

const accepted: Answer = {
  description: 'Accepted: the task is on its way, and what it can cost at most is held.',
  content: json(
    { anyOf: [ref('Acknowledgement'), ref('EstimateAnswer'), ref('WaitedAnswer')] },
    ACKNOWLEDGEMENT_EXAMPLE,
  ),
  headers: ['X-Task-Id', 'Idempotency-Replayed', 'Preference-Applied'],
};

const submission = {
  ...SUBMIT,
  scope: 'own' as const,
  parameters: [IDEMPOTENCY, STRICT, DRY_RUN, PREFER],
  answers: { 200: accepted },
  refusals: SUBMISSION_REFUSALS,
};

const image = { type: 'array', items: fileBytes(), maxItems: 16 };

/** Files of an image edit that is sent as a form. */
export const IMAGE_FORM_FILES: Readonly<Record<string, JsonSchema>> = {
  image: { ...image, description: 'Once or several times; also as `image[]`.' },
  mask: fileBytes('A PNG with alpha, as large as the first image; transparent where it may change.'),
};

/** The entries that submit a family's tasks, and nothing else: one handler does the work of all. */
export const FAMILY_SUBMISSIONS = ['createImage', 'createVideo', 'createMusic', 'createImgtool'] as const;

/** Operations that make images, videos and music, and those of the image tool. */
export const GENERATION_OPERATIONS = {
  createImage: {
    ...submission,
    tag: 'Images',
    family: 'image',
    path: '/v1/images/generations',
    summary: 'Make images',
    body: { models: 'images.generations' },
  },
  editImage: {
    ...submission,
    tag: 'Images',
    family: 'image',
    path: '/v1/images/edits',
    summary: 'Edit images',
    description:
      'As a form in the widely used shape, numbers and booleans as text, or as JSON with `image_urls`. `webhook` and `language` are refused here.',
    body: {
      models: 'images.generations',
      withoutFields: ['webhook', 'language'],
      variant: 'edit',
      formFiles: IMAGE_FORM_FILES,
    },
  },
  createVideo: {
    ...submission,
    tag: 'Videos',
    family: 'video',
    path: '/v1/videos/generations',
    summary: 'Make a video',
    body: { models: 'videos.generations' },
  },
  createMusic: {
    ...submission,
    tag: 'Music',
    family: 'music',
    path: '/v1/music/generations',
    routesOf: 'music',
    summary: 'Make music',
  },
  createImgtool: {
    ...submission,
    tag: 'Image tool',
    family: 'imgtool',
    errors: 'imgtool',
    path: '/v1/imgtool/generations',
    routesOf: 'imgtool',
    summary: 'Draw with the image tool',
  },
  getImgtoolTask: {
    ...QUERY,
    scope: 'own',
    tag: 'Image tool',
    errors: 'imgtool',
    path: '/v1/imgtool/{id}',
    summary: 'Read a task of the image tool',
    parameters: [LANGUAGE, IF_NONE_MATCH],
    answers: {
      200: { description: 'The task.', headers: ['ETag'], content: json(wrapped(ref('ImgtoolTaskRecord'))) },
      304: UNCHANGED,
    },
    refusals: [404],
  },
} satisfies Record<string, Operation>;
