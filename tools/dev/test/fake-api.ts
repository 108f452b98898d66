import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** How the API behaves towards the jobs of one path; by default all goes well. */
export interface Behaviour {
  /** The status with which a submission is refused. */
  refusedWith?: number;
  /** The state that the task reaches, and keeps. */
  task?: { status: string; error?: { message: string }; result?: object };
  /** The secret its callback is signed with; null sends none. */
  callbackSecret?: string | null;
}

export interface FakeApi {
  baseUrl: string;
  /** Paths of the submissions that came. */
  submitted: string[];
  close(): void;
}

/** The public API as far as the demo uses it, at the same edge: HTTP. */
export async function startFakeApi(secret: string, behaviours: Record<string, Behaviour> = {}): Promise<FakeApi> {
  const submitted: string[] = [];
  const tasks = new Map<string, Behaviour>();

  async function submit(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    submitted.push(path);
    const behaviour = behaviours[path] ?? {};
    const { webhook } = JSON.parse(await text(request)) as { webhook?: string };
    if (behaviour.refusedWith !== undefined) {
      return answer(response, behaviour.refusedWith, { error: { message: 'no channel can serve this model' } });
    }
    const id = `task_${tasks.size}`;
    tasks.set(id, behaviour);
    if (webhook === undefined) {
      response.setHeader('x-task-id', id);
      return answer(response, 200, { text: 'an answer' });
    }
    answer(response, 200, { data: [{ task_id: id }] });
    const { callbackSecret = secret } = behaviour;
    if (callbackSecret !== null) await callBack(`${webhook}/callback`, id, callbackSecret);
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://api.test');
    if (request.method === 'POST') return void submit(pathname, request, response);
    if (pathname === '/v1/user/balance') return answer(response, 200, { remain_balance: 100 });
    const task = tasks.get(pathname.slice('/v1/tasks/'.length))?.task ?? COMPLETED;
    return answer(response, 200, { data: { progress: 100, cost: 0.0003336, ...task } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submitted,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const COMPLETED = { status: 'completed', result: { urls: [`http://127.0.0.1:8080/v1/files/${'f'.repeat(100)}`] } };

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function callBack(url: string, taskId: string, secret: string): Promise<void> {
  const body = JSON.stringify({ id: taskId });
  const at = new Date();
  const headers = {
    'webhook-id': taskId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(taskId, at, body),
  };
  await fetch(url, { method: 'POST', body, headers });
}
