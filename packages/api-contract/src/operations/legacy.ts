import type { JsonObject } from '@mediagate/contracts';
import type { Answer, JsonSchema, Operation } from '../operation';
import { json, listOf, object, ref, string } from '../schemas/build';
import { LEGACY_BODIES } from '../schemas/legacy';
import { DRY_RUN, IDEMPOTENCY, QUERY, STRICT, SUBMISSION_REFUSALS, SUBMIT } from './access';

/** Stands in paths for the word that the operator has chosen. */
export const LEGACY_PREFIX = '{legacy_prefix}';

const legacy = {
  tag: 'Image tool, older interface',
  scope: 'own',
  errors: 'legacy',
  keyHeader: 'mj-api-secret',
} as const;

const accepted: Answer = {
  description: 'Accepted.',
  content: json(
    { anyOf: [ref('LegacyAcknowledgement'), ref('EstimateAnswer')] },
    {
      code: 1,
      description: 'Submit success',
      result: 'task_01m7y2sj24fztvyr284w6jthg6',
      properties: {},
    },
  ),
  headers: ['X-Task-Id', 'Idempotency-Replayed'],
};

function submission(name: string, summary: string, [body, example]: readonly [JsonSchema, JsonObject]) {
  return {
    ...SUBMIT,
    ...legacy,
    family: 'imgtool',
    path: `/${LEGACY_PREFIX}/submit/${name}`,
    summary,
    parameters: [IDEMPOTENCY, STRICT, DRY_RUN],
    body: { content: json(body, example) },
    answers: { 200: accepted },
    refusals: SUBMISSION_REFUSALS,
  } as const;
}

const taskId = 'task_01m7y2sj24fztvyr284w6jthg6';
const image = 'https://media.example.com/boat.png';

/** Bodies with an example of each. */
const SENT = {
  imagine: [LEGACY_BODIES.imagine, { prompt: 'a lighthouse --ar 16:9' }],
  blend: [LEGACY_BODIES.blend, { base64Array: [image, 'https://media.example.com/sea.png'] }],
  describe: [LEGACY_BODIES.describe, { link: image }],
  shorten: [LEGACY_BODIES.shorten, { prompt: 'a very tall and very old lighthouse' }],
  edits: [LEGACY_BODIES.edits, { prompt: 'make it night', image }],
  change: [LEGACY_BODIES.change, { taskId, action: 'UPSCALE', index: 2 }],
  simpleChange: [LEGACY_BODIES.simpleChange, { content: `${taskId} U2` }],
  action: [LEGACY_BODIES.action, { taskId, customId: 'JOB::upsample::2' }],
  modal: [LEGACY_BODIES.modal, { taskId, prompt: 'a red door' }],
  video: [LEGACY_BODIES.video, { prompt: 'waves', image, motion: 'low' }],
} as const satisfies Record<keyof typeof LEGACY_BODIES, readonly [JsonSchema, JsonObject]>;

/** The same tasks as those of the image tool, at the same prices, in the words of an older interface. */
export const LEGACY_OPERATIONS = {
  legacyImagine: submission('imagine', 'Draw an image', SENT.imagine),
  legacyBlend: submission('blend', 'Blend images', SENT.blend),
  legacyDescribe: submission('describe', 'Describe an image', SENT.describe),
  legacyShorten: submission('shorten', 'Shorten a prompt', SENT.shorten),
  legacyEdits: submission('edits', 'Edit images', SENT.edits),
  legacyChange: submission('change', 'Work on an image by its place', SENT.change),
  legacySimpleChange: submission('simple-change', 'The same in one text', SENT.simpleChange),
  legacyAction: submission('action', 'Press a button of a task', SENT.action),
  legacyModal: submission('modal', 'Go on with an inpaint', SENT.modal),
  legacyVideo: submission('video', 'Make a video of an image', SENT.video),
  legacyFetchTask: {
    ...QUERY,
    ...legacy,
    path: `/${LEGACY_PREFIX}/task/{id}/fetch`,
    summary: 'Read a task',
    answers: { 200: { description: 'The task.', content: json(ref('LegacyTask')) } },
    refusals: [404],
  },
  legacyListTasks: {
    ...QUERY,
    ...legacy,
    method: 'post',
    path: `/${LEGACY_PREFIX}/task/list-by-condition`,
    summary: 'Read several tasks',
    body: { content: json(object({ ids: { ...listOf(string()), maxItems: 100 } }), { ids: [taskId] }) },
    answers: {
      200: { description: 'The tasks that exist, in the order asked for.', content: json(listOf(ref('LegacyTask'))) },
    },
  },
} satisfies Record<string, Operation>;
