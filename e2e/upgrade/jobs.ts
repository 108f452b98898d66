import { until } from '@mediagate/testkit';

const WAIT_SECONDS = 30;

export const VIDEO = { model: 'videoa-3.0-video', resolution: '480P', duration: 2 };
/** One job of each family whose tasks are waited for. */
export const JOBS = {
  '/v1/images/generations': { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' },
  '/v1/videos/generations': { ...VIDEO, prompt: 'a kite' },
  '/v1/music/generations': { model: 'musicgen', gpt_description: 'a waltz' },
  '/v1/imgtool/generations': { model: 'imgtool', prompt: 'a fox' },
};
export const SPEECH_PATH = '/v1/audio/speech';
export const TEXT_PATH = '/v1beta/models/text-2.5-flash:generateContent';
/** One request of each family that answers while its caller waits. */
export const SYNCHRONOUS = {
  [SPEECH_PATH]: { model: 'ttsmodel-mini', voice: 'alloy', input: 'The keeper counts the ships.' },
  [TEXT_PATH]: { contents: [{ role: 'user', parts: [{ text: 'Why?' }] }] },
};

export interface Caller {
  call(path: string, body?: object): Promise<Response>;
  /** Resolves with the task's id. */
  submit(path: string, body: object): Promise<string>;
  /** Resolves with the task's record once it is final. */
  ended(id: string): Promise<{ status: string }>;
}

/** A caller whose answers are not judged by this release's document: another release may give them. */
export function callerOf(baseUrl: string, key: string): Caller {
  async function call(path: string, body?: object): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async function submit(path: string, body: object): Promise<string> {
    const { data } = (await (await call(path, body)).json()) as { data: { task_id: string }[] };
    return data[0]?.task_id ?? '';
  }

  async function ended(id: string): Promise<{ status: string }> {
    let record = { status: '' };
    await until(async () => {
      record = ((await (await call(`/v1/tasks/${id}?wait=${WAIT_SECONDS}`)).json()) as { data: typeof record }).data;
      return ['completed', 'failed'].includes(record.status);
    });
    return record;
  }

  return { call, submit, ended };
}
