import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../system/caller';

interface Request {
  path: string;
  body: object;
}

const video = (prompt: string): Request => ({
  path: '/v1/videos/generations',
  body: { model: 'videoa-2.6', duration: 5, resolution: '720p', prompt },
});
const image = (prompt: string): Request => ({
  path: '/v1/images/generations',
  body: { model: 'imagegen-2.5-flare', quality: 'low', prompt },
});
const music = (prompt: string): Request => ({ path: '/v1/music/generations', body: { model: 'musicgen', prompt } });
const imgtool = (prompt: string): Request => ({ path: '/v1/imgtool/generations/imagine', body: { prompt } });
const text = (prompt: string): Request => ({
  path: '/gemini/v1beta/models/text-2.5-flash:generateContent',
  body: { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
});
const speech = (input: string): Request => ({
  path: '/v1/audio/speech',
  body: { model: 'ttsmodel-mini', voice: 'coral', input },
});

/** In turn: those who wait for their answer come as often as those who are called back. */
const TURNS = [video, image, text, music, speech, image, text, imgtool, speech, image];
const SYNCHRONOUS = new Set([text, speech]);

export interface LoadOptions {
  caller: Caller;
  webhook: string;
  /** Stands in each prompt. */
  name: string;
}

export interface Sent {
  prompt: string;
  isSpeech: boolean;
  /** Undefined: it was not accepted, or its answer was waited for. */
  taskId: string | undefined;
  /** Undefined: the connection broke. */
  status: number | undefined;
}

export interface SteadyLoad {
  /** Sends nothing more; what was sent since the start, in its order. */
  stop(): Promise<Sent[]>;
}

/** All six families, with callbacks where they have them, at a steady pace whatever is answered. Nothing is sent twice. */
export function startLoad({ everyMs, ...of }: LoadOptions & { everyMs: number }): SteadyLoad {
  let isOn = true;
  const tasks: Promise<Sent>[] = [];
  const sending = sendAll();

  async function sendAll(): Promise<void> {
    for (let index = 0; isOn; index += 1) {
      tasks.push(sendOne(of, index));
      await delay(everyMs);
    }
  }

  return {
    async stop() {
      isOn = false;
      await sending;
      return Promise.all(tasks);
    },
  };
}

/** Each turn of the load once, at once. */
export function sendEachTurn(of: LoadOptions): Promise<Sent[]> {
  return Promise.all(TURNS.map((_, index) => sendOne(of, index)));
}

async function sendOne({ caller, webhook, name }: LoadOptions, index: number): Promise<Sent> {
  const prompt = `${name} ${index} of the load`;
  const make = TURNS[index % TURNS.length] ?? image;
  const { path, body } = make(prompt);
  const answer = await caller.post(path, SYNCHRONOUS.has(make) ? body : { ...body, webhook }).catch(() => undefined);
  return { prompt, isSpeech: make === speech, status: answer?.status, taskId: answer?.body?.data?.[0]?.task_id };
}
