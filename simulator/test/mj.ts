import { type Json, keyOf, type SimulatorUnderTest } from './simulator-under-test';

export const MJ_MS = 60_000;

/** The answer to a submit. */
export interface Submitted {
  httpStatus: number;
  code: number;
  description: string;
  result: string;
  properties: Json;
}

/** A caller of the image tool's protocol. */
export interface MjCaller {
  submit(
    name: string,
    body: object,
    options?: { prefix?: string; headers?: Record<string, string> },
  ): Promise<Submitted>;
  /** As the vendor tells it now. */
  fetchTask(id: string): Promise<Json>;
  /** Submits, lets the work be done, and gives the task. */
  finish(name: string, body: object): Promise<Json>;
  /** The same, from a button of a task, found by the beginning of its id. */
  press(task: Json, idBegins: string, extra?: object): Promise<Json>;
}

export const secret = { 'mj-api-secret': keyOf('mj') };

export function mjCaller(simulator: () => SimulatorUnderTest): MjCaller {
  const submit: MjCaller['submit'] = async (name, body, { prefix = '/mj', headers = secret } = {}) => {
    const response = await fetch(`${simulator().url}${prefix}/submit/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { httpStatus: response.status, ...((await response.json()) as object) } as Submitted;
  };
  const fetchTask = async (id: string): Promise<Json> => {
    const response = await fetch(`${simulator().url}/mj/task/${id}/fetch`, { headers: secret });
    return response.json();
  };
  const finish: MjCaller['finish'] = async (name, body) => {
    const { code, result, description } = await submit(name, body);
    expect({ code, description }).toEqual({ code: 1, description: 'Submit success' });
    await simulator().moveClock({ advanceMs: MJ_MS });
    return fetchTask(result);
  };
  return {
    submit,
    fetchTask,
    finish,
    press: (task, idBegins, extra = {}) =>
      finish('action', { taskId: task.id, customId: buttonOf(task, idBegins), ...extra }),
  };
}

/** The id of the button that begins so; fails when there is none. */
export function buttonOf(task: Json, idBegins: string): string {
  const ids: string[] = task.buttons.map(({ customId }: Json) => customId);
  const found = ids.find((id) => id.startsWith(idBegins));
  if (found === undefined) throw new Error(`no button ${idBegins} among ${ids.join(' ')}`);
  return found;
}
