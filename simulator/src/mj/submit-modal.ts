import sharp from 'sharp';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { checkPrompt, compileBody, field, photoOfBase64, readJsonBody } from './body';
import { acceptedReply } from './booking';
import { workOf } from './press-work';
import type { MjTask, MjTools, OpenWindow, TaskDetail } from './task';
import { invalid, taskNotFound } from './wire';

interface Confirmed {
  task: MjTask;
  change: Partial<TaskDetail>;
}

const checkModal = compileBody(
  { taskId: field.id, prompt: { ...field.prompt, minLength: 1 }, maskBase64: field.image },
  ['taskId', 'prompt'],
);

/** `POST /submit/modal`: confirms the window of a task, which goes on under the same id. */
export function createModalSubmit(tools: MjTools): Endpoint<JsonObject, Confirmed> {
  const { account } = tools;
  return {
    read: readJsonBody,
    describe(_request, body) {
      const task = account.tasks.find(textOf(body['taskId']));
      return { model: task?.model ?? '', prompt: textOf(body['prompt']) || (task?.prompt ?? '') };
    },
    async prepare(body, call) {
      const request = checkModal(body, call);
      const task = account.tasks.find(request.taskId);
      if (!task) throw taskNotFound();
      if (!task.detail.window || account.tasks.state(task) !== 'queued') throw invalid('the task has the wrong status');
      return { task, change: await confirm(request, { task, window: task.detail.window, call, tools }) };
    },
    start({ task, change }, call) {
      // Two confirmations may have been prepared at the same time.
      if (!task.detail.window) throw invalid('the task has the wrong status');
      const ahead = account.waiting();
      Object.assign(task.detail, { ...change, window: undefined });
      account.resume(task, call);
      return { externalId: task.id, reply: acceptedReply(task.id, ahead) };
    },
  };
}

async function confirm(
  request: { prompt: string; maskBase64?: string },
  { task, window, call, tools }: { task: MjTask; window: OpenWindow; call: Call; tools: MjTools },
): Promise<Partial<TaskDetail>> {
  const { botType } = task.detail;
  const typed = checkPrompt(request.prompt, { botType });
  const { maskBase64 } = request;
  if (maskBase64 !== undefined && window.press.kind !== 'inpaint') call.warn('a mask is for Vary (Region) alone');
  const mask = maskBase64 === undefined ? undefined : await maskOf(maskBase64, window, tools);
  const { press, parent } = window;
  const made = workOf({ press, parent, typed, mask });
  const words = { prompt: typed.text, fullPrompt: typed.full, version: typed.version, fault: typed.fault };
  return { ...made, ...words, description: `/modal ${typed.text}` };
}

/** The mask as one channel of the image's size: white where it is to be painted. */
async function maskOf(value: string, { parent }: OpenWindow, tools: MjTools): Promise<Buffer> {
  await photoOfBase64('maskBase64', value, tools);
  const { work } = parent.detail;
  const image = work.kind === 'images' ? work.images[0] : undefined;
  if (!image) throw invalid('maskBase64: the task has no image');
  const { width, height } = image;
  return sharp(Buffer.from(value.slice(value.indexOf(',') + 1), 'base64'))
    .flatten({ background: '#000' })
    .greyscale()
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .threshold(128)
    .toColourspace('b-w')
    .png()
    .toBuffer();
}
