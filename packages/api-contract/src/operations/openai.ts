import type { JsonSchema, Operation } from '../operation';
import { boolean, events, integer, json, oneOf, ref } from '../schemas/build';
import {
  DRY_RUN,
  IDEMPOTENCY,
  MAX_COST,
  METADATA,
  PREFER_CANCEL,
  QUERY,
  STRICT,
  SUBMISSION_REFUSALS,
  SUBMIT,
} from './access';
import { IMAGE_FORM_FILES } from './generations';
import { SPEECH_OPERATIONS } from './speech';

const openai = { tag: 'OpenAI', scope: 'own', errors: 'openai' } as const;

const imageFields: Readonly<Record<string, JsonSchema>> = {
  response_format: oneOf(
    ['url', 'b64_json'],
    'A link of the service to each image, or the images themselves. Default: those of imagegen models, links of the others.',
  ),
  stream: boolean(
    'As events: comments while nothing has ended, and then `image_generation.completed` (`image_edit.completed`) for each image, with its base64.',
  ),
  partial_images: integer('Ignored: only whole images are sent.'),
};

const image = {
  ...SUBMIT,
  ...openai,
  family: 'image',
  parameters: [IDEMPOTENCY, STRICT, DRY_RUN, PREFER_CANCEL],
  answers: {
    200: {
      description: 'The images.',
      content: {
        ...json({ anyOf: [ref('OpenAiImages'), ref('EstimateAnswer')] }),
        ...events('An event for each image: its type, and as data its fields as JSON.'),
      },
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
  createChat: {
    ...SUBMIT,
    ...openai,
    family: 'text',
    path: '/openai/v1/chat/completions',
    summary: 'Generate a text as a chat completion',
    description:
      'Whole, or with `stream` in pieces. By any text model; fields that it does not read are ignored and named in `warnings`. Images, sound and files may stand in the messages as data; images also by their addresses.',
    parameters: [IDEMPOTENCY, STRICT, METADATA, MAX_COST, DRY_RUN],
    body: {
      content: json(ref('OpenAiChatRequest'), {
        model: 'text-2.5-flash',
        messages: [{ role: 'user', content: 'Why do lighthouses blink?' }],
      }),
    },
    answers: {
      200: {
        description: 'The completion.',
        content: {
          ...json({ anyOf: [ref('OpenAiCompletion'), ref('EstimateAnswer')] }),
          ...events('Each event’s data is one chunk, as JSON; the last event is `[DONE]`.'),
        },
        headers: ['X-Task-Id', 'AI-Disclosure'],
      },
    },
    refusals: SUBMISSION_REFUSALS,
  },
  createResponse: {
    ...SUBMIT,
    ...openai,
    family: 'text',
    path: '/openai/v1/responses',
    summary: 'Generate a text as a response',
    description:
      'Whole, or with `stream` as events. By any text model. Nothing is kept: the input is the whole conversation, and what names an earlier response is refused.',
    parameters: [IDEMPOTENCY, STRICT, METADATA, MAX_COST, DRY_RUN],
    body: {
      content: json(ref('OpenAiResponseRequest'), { model: 'text-2.5-flash', input: 'Why do lighthouses blink?' }),
    },
    answers: {
      200: {
        description: 'The response.',
        content: {
          ...json({ anyOf: [ref('OpenAiResponse'), ref('EstimateAnswer')] }),
          ...events('Each event has its type, and as data its fields as JSON; the last has the whole response.'),
        },
        headers: ['X-Task-Id', 'AI-Disclosure'],
      },
    },
    refusals: SUBMISSION_REFUSALS,
  },
  createOpenAiSpeech: {
    ...SPEECH_OPERATIONS.createSpeech,
    ...openai,
    path: '/openai/v1/audio/speech',
    description: `MP3 unless \`response_format\` says otherwise. ${SPEECH_OPERATIONS.createSpeech.description}`,
  },
  listOpenAiModels: { ...list, path: '/openai/v1/models' },
  getOpenAiModel: { ...get, path: '/openai/v1/models/{model}' },
  listModelsV1: { ...list, path: '/v1/models' },
  getModelV1: { ...get, path: '/v1/models/{model}' },
} satisfies Record<string, Operation>;
