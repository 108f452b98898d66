import type { JsonSchema, Operation } from '../operation';
import { json, oneOf, ref } from '../schemas/build';
import { IDEMPOTENCY, QUERY, SUBMISSION_REFUSALS, SUBMIT } from './access';
import { IMAGE_FORM_FILES } from './generations';
import { SPEECH_OPERATIONS } from './speech';

const openai = { tag: 'OpenAI', errors: 'openai' } as const;

const imageFields: Readonly<Record<string, JsonSchema>> = {
  response_format: {
    ...oneOf(['url', 'b64_json'], 'A link of the service to each image, or the images themselves.'),
    default: 'url',
  },
};

const image = {
  ...SUBMIT,
  ...openai,
  family: 'image',
  parameters: [IDEMPOTENCY],
  answers: {
    200: {
      description: 'The images.',
      content: json(ref('OpenAiImages')),
      headers: ['X-Task-Id', 'Idempotency-Replayed'],
    },
  },
  refusals: [...SUBMISSION_REFUSALS, 410, 504],
} as const;

const WAITING =
  'Answers when the images are made. The task goes on when its caller leaves or has waited for ten minutes (504): `X-Task-Id` and `task_id` name it. The same request with the same `Idempotency-Key` waits for the same task.';

const list = {
  ...QUERY,
  ...openai,
  summary: 'List the models in OpenAI’s shape',
  answers: { 200: { description: 'The models.', content: json(ref('OpenAiModels')) } },
} as const;
const get = {
  ...QUERY,
  ...openai,
  summary: 'Read a model in OpenAI’s shape',
  answers: { 200: { description: 'The model.', content: json(ref('OpenAiModel')) } },
  refusals: [404],
} as const;

/** For the unmodified clients of OpenAI, with the base URL `/openai/v1`. */
export const OPENAI_OPERATIONS = {
  createOpenAiImage: {
    ...image,
    path: '/openai/v1/images/generations',
    summary: 'Make images and wait for them',
    description: WAITING,
    body: {
      models: 'images.generations',
      withoutFields: ['webhook', 'language'],
      withFields: imageFields,
      variant: 'openai',
    },
  },
  editOpenAiImage: {
    ...image,
    path: '/openai/v1/images/edits',
    summary: 'Edit images and wait for them',
    description: WAITING,
    body: {
      models: 'images.generations',
      withoutFields: ['webhook', 'language'],
      withFields: imageFields,
      variant: 'openai-edit',
      formFiles: IMAGE_FORM_FILES,
    },
  },
  createOpenAiSpeech: { ...SPEECH_OPERATIONS.createSpeech, ...openai, path: '/openai/v1/audio/speech' },
  listOpenAiModels: { ...list, path: '/openai/v1/models' },
  getOpenAiModel: { ...get, path: '/openai/v1/models/{model}' },
  listModelsV1: { ...list, path: '/v1/models' },
  getModelV1: { ...get, path: '/v1/models/{model}' },
} satisfies Record<string, Operation>;
