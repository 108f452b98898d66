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

function submission(name: string, summary: string, body: JsonSchema) {
  return {
    ...SUBMIT,
    ...legacy,
    family: 'imgtool',
    path: `/${LEGACY_PREFIX}/submit/${name}`,
    summary,
    parameters: [IDEMPOTENCY, STRICT, DRY_RUN],
    body: { content: json(body) },
    answers: { 200: accepted },
    refusals: SUBMISSION_REFUSALS,
  } as const;
}

/** The same tasks as those of the image tool, at the same prices, in the words of an older interface. */
export const LEGACY_OPERATIONS = {
  legacyImagine: submission('imagine', 'Draw an image', LEGACY_BODIES.imagine),
  legacyBlend: submission('blend', 'Blend images', LEGACY_BODIES.blend),
  legacyDescribe: submission('describe', 'Describe an image', LEGACY_BODIES.describe),
  legacyShorten: submission('shorten', 'Shorten a prompt', LEGACY_BODIES.shorten),
  legacyEdits: submission('edits', 'Edit images', LEGACY_BODIES.edits),
  legacyChange: submission('change', 'Work on an image by its place', LEGACY_BODIES.change),
  legacySimpleChange: submission('simple-change', 'The same in one text', LEGACY_BODIES.simpleChange),
  legacyAction: submission('action', 'Press a button of a task', LEGACY_BODIES.action),
  legacyModal: submission('modal', 'Go on with an inpaint', LEGACY_BODIES.modal),
  legacyVideo: submission('video', 'Make a video of an image', LEGACY_BODIES.video),
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
    body: { content: json(object({ ids: { ...listOf(string()), maxItems: 100 } })) },
    answers: { 200: { description: 'Those that there are, in that order.', content: json(listOf(ref('LegacyTask'))) } },
  },
} satisfies Record<string, Operation>;
