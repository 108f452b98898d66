import type { VideoTools } from '../vendor';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { ElementDetail, KlingAccount } from './account';
import { legacyStarted } from './reports';
import { bringInImage } from './video-order';
import { compileBody, invalidParameter, klingSuccess, readJsonBody } from './wire';

interface ElementOrder extends ElementDetail {
  externalTaskId: string | undefined;
}

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const imageField = { type: 'string', minLength: 1 } as const;

const check = compileBody(
  {
    element_name: { type: 'string', minLength: 1, maxLength: 20 },
    element_description: { type: 'string', minLength: 1, maxLength: 100 },
    reference_type: { enum: ['image_refer'] },
    element_image_list: {
      type: 'object',
      required: ['frontal_image', 'refer_images'],
      properties: {
        frontal_image: imageField,
        refer_images: {
          type: 'array',
          minItems: 1,
          maxItems: 3,
          items: { type: 'object', required: ['image_url'], properties: { image_url: imageField } },
        },
      },
    },
    tag_list: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tag_id'],
        properties: { tag_id: { type: 'string', pattern: '^o_10[1-8]$' } },
      },
    },
    callback_url: { type: 'string' },
    external_task_id: { type: 'string', minLength: 1 },
  },
  ['element_name', 'element_description', 'reference_type', 'element_image_list'],
);

/** `POST /v1/general/advanced-custom-elements`. */
export function createElementSubmit({
  tools,
  account,
}: {
  tools: VideoTools;
  account: KlingAccount;
}): Endpoint<JsonObject, ElementOrder> {
  return {
    read: readJsonBody,
    describe: (_request, body) => ({
      model: 'advanced-custom-elements',
      // A directive in the description is obeyed: an element has no prompt.
      prompt: `${textOf(body['element_name'])} ${textOf(body['element_description'])}`.trim(),
    }),
    prepare: (body, call) => prepare(check(body, call), { tools, call }),
    start({ name, description, externalTaskId }, call) {
      if (externalTaskId !== undefined && account.elements.findByExternalId(externalTaskId)) {
        throw invalidParameter('external_task_id already exists', call.requestId);
      }
      const prompt = `${name} ${description}`;
      const detail = { name, description };
      const task = account.elements.add({ model: 'advanced-custom-elements', prompt, externalTaskId, detail }, call);
      return { externalId: task.id, reply: klingSuccess(legacyStarted(task), call.requestId) };
    },
  };
}

async function prepare(
  body: ReturnType<typeof check>,
  { tools, call }: { tools: VideoTools; call: Call },
): Promise<ElementOrder> {
  const { frontal_image: frontal, refer_images: others } = body.element_image_list;
  const named = [
    { field: 'frontal_image', value: frontal },
    ...others.map(({ image_url: value }) => ({ field: 'refer_images', value })),
  ];
  for (const image of named) await bringInImage(image, { tools, requestId: call.requestId, maxBytes: MAX_IMAGE_BYTES });
  return {
    name: body.element_name,
    description: body.element_description,
    externalTaskId: body.external_task_id,
  };
}
