import { REASONS } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyObject, anyWord, boolean, integer, listOf, number, object, oneOf, ref, string } from './build';

const nullable = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema['type'] as string, 'null'] });
const milliseconds = (description: string) => integer(`${description}, in Unix milliseconds.`);

export const LEGACY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  LegacyAcknowledgement: object({
    code: { type: 'integer', enum: [1, 22], description: '22 is as good as 1: other tasks of the key come first.' },
    description: string(),
    result: string('The task’s id.'),
    properties: object({ 'warnings?': listOf(string()), 'numberOfQueues?': integer('Tasks that must end before.') }),
  }),
  LegacyTask: object({
    id: string(),
    action: string('In capitals: `IMAGINE`, `UPSCALE`, …'),
    status: oneOf(['NOT_START', 'SUBMITTED', 'MODAL', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']),
    progress: string('A percentage: `50%`.'),
    prompt: string(),
    promptEn: string(),
    description: string(),
    failReason: string('Empty unless the task failed.'),
    state: string('What the submission gave.'),
    submitTime: milliseconds('When it was submitted'),
    startTime: nullable(milliseconds('When work began')),
    finishTime: nullable(milliseconds('When it ended')),
    imageUrl: string(),
    imageUrls: listOf(object({ url: string() })),
    videoUrl: string(),
    videoUrls: listOf(object({ url: string() })),
    buttons: listOf(
      object({ customId: string(), label: string(), emoji: string(), type: integer(), style: integer() }),
    ),
    properties: object({
      finalPrompt: string(),
      cost: number(),
      credits_cost: number(),
      reserved: number(),
      'reason?': anyWord(Object.keys(REASONS)),
      'param?': string(),
      'next_action?': ref('NextAction'),
    }),
  }),
};

const image = string('An address, a data URL, or the base64 of an image.');
const prompt = string();
const state = string('Comes back with the task; up to 2000 characters.');
const general = {
  'state?': state,
  'metadata?': anyObject('`metadata` as for every submission; `GET /v1/tasks/{id}` shows it.'),
  'max_cost?': { ...number('Currency units: refused with 402 if the task can cost more.'), exclusiveMinimum: 0 },
  'expires_in?': {
    ...integer('Seconds: the task fails unless work on it has begun by then.'),
    minimum: 1,
    maximum: 86_400,
  },
  'accountFilter?': object({
    'modes?': { ...listOf(string()), description: 'The first chooses the speed: `RELAX`, `FAST`, `TURBO`.' },
  }),
  'nsfwCheck?': boolean(
    'Has the prompt and the images reviewed before the task is accepted; what is refused has the code 24.',
  ),
  'botType?': string('`MID_JOURNEY` or `NIJI_JOURNEY`.'),
};

/** The fields of a body that the older interface reads; it warns of all others, and refuses other names of these, and files. */
export const LEGACY_BODIES = {
  imagine: object({ prompt, 'base64Array?': listOf(image), 'base64?': image, ...general }),
  blend: object({ base64Array: listOf(image), 'dimensions?': string(), ...general }),
  describe: object({ 'base64?': image, 'link?': image, 'base64Array?': listOf(image), ...general }),
  shorten: object({ prompt, ...general }),
  change: object({
    taskId: string(),
    action: string('`UPSCALE`, `VARIATION` or `REROLL`.'),
    'index?': { type: ['integer', 'null'], description: 'From 1; required unless the action is `REROLL`.' },
    ...general,
  }),
  edits: object({ prompt, 'image?': image, 'base64Array?': listOf(image), ...general }),
  simpleChange: object({ content: string('`<taskId> U1` to `U4` or `V1` to `V4`, or `<taskId> R`.'), ...general }),
  action: object({ taskId: string(), customId: string('`customId` of one of the task’s `buttons`.'), ...general }),
  modal: object({ taskId: string(), 'prompt?': prompt, 'maskBase64?': image, ...general }),
  video: object({
    'prompt?': prompt,
    'image?': image,
    'base64Array?': listOf(image),
    'taskId?': string(),
    'index?': integer(),
    'endImage?': image,
    'motion?': string('`low` or `high`.'),
    'videoType?': { type: ['string', 'integer'] },
    'batchSize?': integer('1, 2 or 4.'),
    ...general,
  }),
};
