import { randomUUID } from 'node:crypto';
import type { Call, Endpoint, JsonObject, Reply } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { type General, modeOf, readJsonBody } from './body';
import { seedOf } from './image';
import { type ReadPrompt, readPrompt } from './prompt';
import type { Action, MjTools, OpenWindow, TaskDetail, Work } from './task';
import { type Version, versionName } from './version';
import { code, submitReply } from './wire';

/** The facts that one kind of submit settles about its task. */
export interface NewTask {
  action: Action;
  /** As sent, without directives. */
  prompt: string;
  fullPrompt: string;
  description: string;
  version: Version;
  seed: number;
  work: Work;
  read?: ReadPrompt | undefined;
  fault?: string | undefined;
  window?: OpenWindow | undefined;
}

/** The images of a sheet, or the most videos of a task. */
const ALL_PARTS = 4;

/** Adds what every submit settles alike: the caller's marks and the speed. */
export function detailOf(task: NewTask, general: General, call: Call): TaskDetail {
  const { read, fault, window, ...own } = task;
  const { request } = call;
  return {
    ...own,
    state: general.state,
    hook: general.notifyHook,
    host: request.get('host') ?? '',
    mode: modeOf(request, general, read),
    botType: task.version.family === 'niji' ? 'NIJI_JOURNEY' : 'MID_JOURNEY',
    hash: randomUUID(),
    fault: fault ?? read?.fault,
    window,
    partsReported: ALL_PARTS,
  };
}

/** Books a task and says so: at once, in a queue, or waiting for its window. */
export function bookTask(detail: TaskDetail, call: Call, tools: MjTools): { externalId: string; reply: Reply } {
  const { account } = tools;
  const ahead = account.waiting();
  const task = account.add(detail, call);
  const { window } = detail;
  if (!window) return { externalId: task.id, reply: acceptedReply(task.id, ahead) };
  const properties = { finalPrompt: detail.fullPrompt, remix: window.isRemix };
  return {
    externalId: task.id,
    reply: submitReply(code.exists, 'Waiting for window confirm', { result: task.id, properties }),
  };
}

/** The answer to work that is accepted, behind that many others. */
export function acceptedReply(id: string, ahead: number): Reply {
  if (ahead === 0) return submitReply(code.accepted, 'Submit success', { result: id });
  const properties = { numberOfQueues: ahead };
  return submitReply(code.queued, `In queue, ${ahead} tasks ahead`, { result: id, properties });
}

/** A submit that needs no earlier task: faults and rules go by its prompt and the version that it names. */
export function freshSubmit(
  prepare: (body: JsonObject, call: Call) => Promise<TaskDetail>,
  tools: MjTools,
): Endpoint<JsonObject, TaskDetail> {
  return {
    read: readJsonBody,
    describe(_request, body) {
      const prompt = textOf(body['prompt']);
      const { version } = readPrompt(prompt, { isNiji: body['botType'] === 'NIJI_JOURNEY' });
      return { model: versionName(version), prompt };
    },
    prepare,
    start: (detail, call) => bookTask(detail, call, tools),
  };
}

/** The parts of a prompt that a task keeps, with the seed that it names, or one that follows from its words. */
export function wordsOf(read: ReadPrompt, command: string) {
  return {
    read,
    seed: read.seed ?? seedOf(command, read.full),
    prompt: read.text,
    fullPrompt: read.full,
    description: `/${command} ${read.full}`,
    version: read.version,
  };
}
