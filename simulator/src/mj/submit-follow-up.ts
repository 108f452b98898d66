import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { compileBody, field, type General, readJsonBody } from './body';
import { bookTask, detailOf, type NewTask } from './booking';
import { type Button, buttonsOf } from './buttons';
import { actionOf, canRemix, wordsFor, workOf } from './press-work';
import type { MjTask, MjTools, Press, TaskDetail } from './task';
import { variesInGrid } from './version';
import { invalid, taskNotFound } from './wire';

/** `POST /submit/action`: goes on from an earlier task by one of its buttons. */
export function createActionSubmit(tools: MjTools): Endpoint<JsonObject, TaskDetail> {
  return {
    read: readJsonBody,
    // Such a submit has no words of its own, so rules match those of the task it goes on from.
    describe(_request, body) {
      const parent = tools.account.tasks.find(textOf(body['taskId']));
      return { model: parent?.model ?? '', prompt: parent?.prompt ?? '' };
    },
    prepare: async (body, call) => action(body, call, tools),
    start: (detail, call) => bookTask(detail, call, tools),
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

function action(body: JsonObject, call: Call, tools: MjTools): TaskDetail {
  const request = checkAction(body, call);
  const parent = finishedTask(request.taskId, tools);
  const button = buttonsOf(parent.detail).find(({ customId }) => customId === request.customId);
  if (!button) throw invalid('the related task has no such button');
  const { strong, enableRemix, accountFilter } = request;
  if (strong !== undefined && !(button.press.kind === 'vary' && variesInGrid(parent.detail.version))) {
    throw invalid('strong is for variations of version 8 and later');
  }
  const isRemix = canRemix(button) && (strong !== undefined || (enableRemix ?? accountFilter?.remix ?? false));
  if (button.press.kind !== 'inpaint' && !isRemix) return press({ parent, button, general: request }, call);
  const task = newTask(parent, button.press, 'Waiting for window confirm');
  const { work, seed } = parent.detail;
  const window = { press: button.press, parent, isRemix };
  return detailOf({ ...task, work, seed, window }, request, call);
}

function press(
  { parent, button, general }: { parent: MjTask; button: Button; general: General },
  call: Call,
): TaskDetail {
  const made = workOf({ parent, press: button.press, typed: undefined });
  const task = newTask(parent, button.press, `/action ${button.customId}`);
  return detailOf({ ...task, ...made, fullPrompt: parent.detail.fullPrompt }, general, call);
}

function newTask(parent: MjTask, pressed: Press, description: string): Omit<NewTask, 'work' | 'seed'> {
  const { prompt, version } = parent.detail;
  const { full } = wordsFor(parent);
  return { action: actionOf[pressed.kind], prompt, fullPrompt: full, description, version };
}

/** The task to go on from; throws when it is unknown, or has made nothing. */
export function finishedTask(id: string, { account }: MjTools): MjTask {
  const task = account.tasks.find(id);
  if (!task) throw taskNotFound();
  if (account.tasks.state(task) !== 'done') throw invalid('the related task has the wrong status');
  return task;
}
