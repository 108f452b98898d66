import { type Call, type Endpoint, type JsonObject, Refusal } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { compileBody, field, type General, readJsonBody } from './body';
import { bookTask, detailOf, type NewTask } from './booking';
import { type Button, buttonsOf } from './buttons';
import { actionOf, canRemix, wordsFor, workOf } from './press-work';
import { sheetLink } from './result-links';
import type { MjTask, Press, TaskDetail } from './task';
import type { MjTools } from './tools';
import { variesInGrid } from './version';
import { code, invalid, submitReply, taskNotFound } from './wire';

/** The submits that go on from an earlier task. */
export function createFollowUps(tools: MjTools) {
  const endpoint = (
    prepare: (body: JsonObject, call: Call) => Promise<TaskDetail>,
  ): Endpoint<JsonObject, TaskDetail> => ({
    read: readJsonBody,
    // Such a submit has no words of its own, so rules match those of the task it goes on from.
    describe(_request, body) {
      const parent = tools.account.tasks.find(textOf(body['taskId']));
      return { model: parent?.model ?? '', prompt: parent?.prompt ?? '' };
    },
    prepare,
    start: (detail, call) => bookTask(detail, call, tools),
  });
  return {
    action: endpoint((body, call) => action(body, call, tools)),
    change: endpoint((body, call) => change(checkChange(body, call), call, tools)),
  };
}

const checkAction = compileBody(
  {
    taskId: field.id,
    customId: { type: 'string', minLength: 1, maxLength: 300 },
    enableRemix: { type: 'boolean' },
    strong: { type: 'boolean' },
  },
  ['taskId', 'customId'],
);

async function action(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkAction(body, call);
  const parent = finishedTask(request.taskId, tools);
  const button = buttonsOf(parent.detail).find(({ customId }) => customId === request.customId);
  if (!button) throw invalid('the related task has no such button');
  const { strong, enableRemix, accountFilter } = request;
  if (strong !== undefined && !(button.press.kind === 'vary' && variesInGrid(parent.detail.version))) {
    throw invalid('strong is for variations of version 8 and later');
  }
  const isRemix = canRemix(button) && (strong !== undefined || (enableRemix ?? accountFilter?.remix ?? false));
  if (button.press.kind !== 'inpaint' && !isRemix) return press({ parent, button, general: request }, call, tools);
  const task = newTask(parent, button.press, 'Waiting for window confirm');
  const { work, seed } = parent.detail;
  const window = { press: button.press, parent, isRemix };
  return detailOf({ ...task, work, seed, window }, request, call);
}

const checkChange = compileBody(
  {
    taskId: field.id,
    action: { enum: ['UPSCALE', 'VARIATION', 'REROLL'] },
    index: { type: 'integer', minimum: 1, maximum: 4 },
  },
  ['taskId', 'action'],
);

async function change(request: ReturnType<typeof checkChange>, call: Call, tools: MjTools): Promise<TaskDetail> {
  const { taskId, action: wanted, index } = request;
  if (wanted !== 'REROLL' && index === undefined) throw invalid('index is required');
  const parent = finishedTask(taskId, tools);
  const existing = wanted === 'UPSCALE' && index !== undefined && tools.account.findUpscale(parent, index);
  if (existing) throw alreadyThere(existing, tools);
  const fits = ({ press: { kind }, press }: Button) =>
    wanted === 'REROLL'
      ? kind === 'reroll'
      : kind === (wanted === 'UPSCALE' ? 'upscale' : 'vary') && 'index' in press && press.index === index;
  const { work } = parent.detail;
  const isGrid = work.kind === 'images' && work.images.length > 1;
  const button = isGrid ? buttonsOf(parent.detail).find(fits) : undefined;
  if (!button) throw invalid('the related task allows no such change');
  return press({ parent, button, general: request }, call, tools);
}

/** The answer names the existing task, and does not say whether it is done. */
function alreadyThere(task: MjTask, { account }: MjTools): Refusal {
  const isDone = account.tasks.state(task) === 'done';
  const properties = { status: isDone ? 'SUCCESS' : 'IN_PROGRESS', imageUrl: isDone ? sheetLink(task) : null };
  return new Refusal(submitReply(code.exists, 'The task exists already', { result: task.id, properties }));
}

async function press(
  { parent, button, general }: { parent: MjTask; button: Button; general: General },
  call: Call,
  tools: MjTools,
): Promise<TaskDetail> {
  const made = await workOf({ parent, press: button.press, typed: undefined }, tools);
  const task = newTask(parent, button.press, `/action ${button.customId}`);
  return detailOf({ ...task, ...made, fullPrompt: parent.detail.fullPrompt }, general, call);
}

function newTask(parent: MjTask, pressed: Press, description: string): Omit<NewTask, 'work' | 'seed'> {
  const { prompt, version } = parent.detail;
  const { full } = wordsFor(parent);
  const upscaleOf = pressed.kind === 'upscale' ? { taskId: parent.id, index: pressed.index } : undefined;
  return { action: actionOf[pressed.kind], prompt, fullPrompt: full, description, version, upscaleOf };
}

/** The task to go on from; throws when it is unknown, or has made nothing. */
export function finishedTask(id: string, { account }: MjTools): MjTask {
  const task = account.tasks.find(id);
  if (!task) throw taskNotFound();
  if (account.tasks.state(task) !== 'done') throw invalid('the related task has the wrong status');
  return task;
}
