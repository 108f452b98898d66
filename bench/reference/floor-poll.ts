// The floor of a poll in Express: one route, answers ready made in memory, and what the specification asks of every request beside
// its answer: the key's digest compared, a request id, what is left of a limit, a tag of the answer, and a line in the log. No second
// route, no limit that is counted, no account, no metric.
import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { Redis } from 'ioredis';
import { announce } from '../src/program';

const { REDIS_URL = '', AUTHORIZATION = '' } = process.env;
const LIMIT = '2147483647';
const opens = digest(AUTHORIZATION);
const answers = new Map<string, { body: string; bytes: number; tag: string }>();
let lines = '';

const app = express();
app.disable('x-powered-by');
app.get('/v1/tasks/:id', (request: Request<{ id: string }>, response: Response) => {
  const startedAt = performance.now();
  const requestId = randomUUID();
  const answer = answers.get(request.params.id);
  if (answer === undefined || !timingSafeEqual(opens, digest(request.headers.authorization ?? ''))) {
    return void response.writeHead(404).end();
  }
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('RateLimit-Limit', LIMIT);
  response.setHeader('RateLimit-Remaining', LIMIT);
  response.setHeader('RateLimit-Reset', '60');
  response.setHeader('ETag', answer.tag);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', answer.bytes);
  response.end(answer.body);
  note({ requestId, route: 'GET /v1/tasks/:id', status: 200, ms: performance.now() - startedAt });
});

/** All lines of a turn are written at once. */
function note(fields: object): void {
  if (lines === '') setImmediate(flush);
  lines += `${JSON.stringify({ level: 'info', message: 'http.request', timestamp: new Date().toISOString(), ...fields })}\n`;
}

function flush(): void {
  process.stdout.write(lines);
  lines = '';
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

async function load(): Promise<void> {
  const redis = new Redis(REDIS_URL);
  const keys = await redis.keys('task:*');
  const bodies = await redis.mget(keys);
  redis.disconnect();
  for (const [index, key] of keys.entries()) {
    const body = bodies[index] ?? '';
    const tag = `"${digest(body).toString('base64url')}"`;
    answers.set(key.slice('task:'.length), { body, bytes: Buffer.byteLength(body), tag });
  }
}

// Messages are born with Express's prototypes, as in the product: set later, they would cost more than all the rest.
function Message(...args: unknown[]): object {
  return Reflect.construct(IncomingMessage, args, Message);
}
function Answer(...args: unknown[]): object {
  return Reflect.construct(ServerResponse, args, Answer);
}
Message.prototype = app.request;
Answer.prototype = app.response;
const classes = { IncomingMessage: Message as never, ServerResponse: Answer as never };

void load().then(() => {
  const server = createServer(classes, app);
  server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
});
