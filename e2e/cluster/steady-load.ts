import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../system/caller';

const VIDEO_EACH = 5;
const VIDEO = { model: 'videoa-2.6', duration: 5, resolution: '720p' };
const IMAGE = { model: 'imagegen-2.5-flare', quality: 'low' };

export interface LoadOptions {
  caller: Caller;
  webhook: string;
  /** Stands in each prompt. */
  name: string;
  everyMs: number;
}

export interface Sent {
  prompt: string;
  /** Undefined: it was not accepted. */
  taskId: string | undefined;
  /** Undefined: the connection broke. */
  status: number | undefined;
}

export interface SteadyLoad {
  /** Sends nothing more; what was sent since the start, in its order. */
  stop(): Promise<Sent[]>;
}

/** Images and videos with callbacks, at a steady pace whatever is answered. Nothing is sent twice. */
export function startLoad({ caller, webhook, name, everyMs }: LoadOptions): SteadyLoad {
  let isOn = true;
  const tasks: Promise<Sent>[] = [];
  const sending = sendAll();

  async function sendAll(): Promise<void> {
    for (let index = 0; isOn; index += 1) {
      const prompt = `${name} ${index} of the load`;
      const asked = { prompt, webhook };
      const isVideo = index % VIDEO_EACH === 0;
      const task = isVideo
        ? send('/v1/videos/generations', { ...VIDEO, ...asked })
        : send('/v1/images/generations', { ...IMAGE, ...asked });
      tasks.push(task);
      await delay(everyMs);
    }
  }

  async function send(path: string, body: { prompt: string }): Promise<Sent> {
    const answer = await caller.post(path, body).catch(() => undefined);
    return { prompt: body.prompt, status: answer?.status, taskId: answer?.body?.data?.[0]?.task_id };
  }

  return {
    async stop() {
      isOn = false;
      await sending;
      return Promise.all(tasks);
    },
  };
}
