import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { readJsonBody } from './body';
import { bookTask } from './booking';
import { seedOf } from './image';
import { type ReadPrompt, readPrompt } from './prompt';
import type { TaskDetail } from './task';
import type { MjTools } from './tools';
import { versionName } from './version';

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
