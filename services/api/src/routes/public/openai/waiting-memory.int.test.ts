import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFinisher, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { forAllTests, forEachTest } from '@mediagate/testkit';
import { startTestApi } from '../../../../test/test-api';
import { pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
beforeAll(async () => {
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as () => void;
});
const caller = forEachTest(() => api.createCaller());

const LOOK_MS = 20;
const LOOKS = 100;
const IMAGE_BYTES = 6 * 1024 * 1024;
const IMAGE = Buffer.concat([pngOf(16, 16), Buffer.alloc(IMAGE_BYTES)]);
const BASE64 = IMAGE.toString('base64');
const JSON_TYPE = 'application/json';
const BODIES: Record<string, [path: string, type: string, body: Buffer]> = {
  'the native endpoint': [
    '/gemini/v1beta/models/imagefast-3.1:generateContent',
    JSON_TYPE,
    jsonOf({ contents: [{ parts: [{ text: 'a boat' }, { inlineData: { mimeType: 'image/png', data: BASE64 } }] }] }),
  ],
  'OpenAI’s edits as JSON': [
    '/openai/v1/images/edits',
    JSON_TYPE,
    jsonOf({ model: 'imagefast-3.1', prompt: 'a boat', image_urls: [`data:image/png;base64,${BASE64}`] }),
  ],
  'OpenAI’s edits as a form': [
    '/openai/v1/images/edits',
    'multipart/form-data; boundary=x',
    Buffer.concat([
      Buffer.from(`${['model', 'imagefast-3.1'].reduce(fieldOf)}${['prompt', 'a boat'].reduce(fieldOf)}`),
      Buffer.from('--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'),
      IMAGE,
      Buffer.from('\r\n--x--\r\n'),
    ]),
  ],
};

function jsonOf(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}

function fieldOf(name: string, value: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

let collect: () => void;

function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends the body and resolves with the answer's status; a client that keeps no copy of what it has sent. */
function send(path: string, type: string, body: Buffer): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${caller.key}`, 'content-type': type, 'content-length': body.length };
  return new Promise((resolve, reject) => {
    request(`${api.url}${path}`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(body);
  });
}

/** @throws Error where the request is answered without a task. */
async function untilBooked(answer: Promise<unknown>): Promise<TaskId> {
  let answered: unknown;
  void answer.then((status) => {
    answered = status;
  });
  while (answered === undefined) {
    const task = await api.database.task.findFirst({ where: { accountId: caller.accountId, status: 'submitted' } });
    if (task) return task.id as TaskId;
    await delay(LOOK_MS);
  }
  throw new Error(`answered ${String(answered)} without a task`);
}

it.each(Object.keys(BODIES))('nothing of a body is held by %s while its caller waits', async (name) => {
  const finish = createFinisher(api.database);
  /** Bytes that the process holds more while the caller of one request waits: looked at until they are less than half of the image. */
  const heldMore = async (looks: number) => {
    const before = heldBytes();
    const status = send(...(BODIES[name] as [string, string, Buffer]));
    const taskId = await untilBooked(status);
    let more = heldBytes() - before;
    for (let look = 0; look < looks && more > IMAGE_BYTES / 2; look += 1) {
      await delay(LOOK_MS);
      more = heldBytes() - before;
    }
    const outcome = { kind: 'failed', error: taskError('content_policy') } as const;
    await finish({ taskId, accountId: caller.accountId, fence: 'any', outcome });
    return { more, status: await status };
  };
  // The first request of a process loads what all later ones use.
  await heldMore(0);
  const { more, status } = await heldMore(LOOKS);
  expect(status).toBe(400);
  expect(more).toBeLessThan(IMAGE_BYTES / 2);
});
