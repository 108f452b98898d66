import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { run } from './browser';

type Answered = { status: number; body: { data: unknown; error?: { reason: string } } };

/** The gateway's own answer to the operator who is signed in on the page; it is read from no page. */
export async function asOperator<Data>(page: Page, path: string): Promise<Data> {
  const response = await page.request.get(`${run.consoleUrl}/api/admin/v1${path}`);
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}

/** The gateway's answer to the holder of a key. */
export async function asHolder(path: string, body?: object, key = run.apiKey): Promise<Answered> {
  const response = await fetch(`${run.baseUrl}/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answered['body'] };
}

/** Reads data of the demo's account, which must be there. */
export async function held<Data>(path: string): Promise<Data> {
  const { status, body } = await asHolder(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return body.data as Data;
}

/** The id of an image of the demo's account, once it has ended. */
export async function endedImage(body: object): Promise<string> {
  const submitted = await asHolder('/images/generations', { model: 'imagegen-2.5-flare', ...body });
  const [task] = submitted.body.data as { task_id: string }[];
  const id = task?.task_id ?? '';
  const headers = { authorization: `Bearer ${run.apiKey}` };
  // The stream ends with the task.
  await (await fetch(`${run.baseUrl}/v1/tasks/${id}/events`, { headers })).text();
  return id;
}

export interface ReceivedCallback {
  headers: Record<string, string>;
  body: string;
}

/** The address at which the simulator receives callbacks under a name. */
export function receiverAt(name: string): string {
  return `${run.simulatorUrl}/__receiver/${name}`;
}

/** At least so many callbacks, once they came. */
export async function callbacksAt(name: string, atLeast: number): Promise<ReceivedCallback[]> {
  const response = await fetch(`${receiverAt(name)}?atLeast=${atLeast}&timeoutMs=20000`);
  const { requests } = (await response.json()) as { requests: ReceivedCallback[] };
  if (requests.length < atLeast) throw new Error(`${requests.length} of ${atLeast} callbacks came to ${name}`);
  return requests;
}

const POLL_MS = 200;
const SEEN_MS = 20_000;

/** Reads until it is so. @throws Error when it is not in time. */
export async function until<Value>(read: () => Promise<Value>, wanted: Value): Promise<void> {
  const deadline = Date.now() + SEEN_MS;
  for (let seen = await read(); seen !== wanted; seen = await read()) {
    if (Date.now() > deadline) throw new Error(`It is ${String(seen)}, and not ${String(wanted)}.`);
    await delay(POLL_MS);
  }
}
