import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServedOperation } from '@mediagate/api-contract';
import { type ApiProcess, startApiProcess } from './api-process';
import { type RawBody, type RawPost, rawPost } from './raw-post';
import { OPERATIONS, oneOfEach } from './shared/operations';
import { pngOf } from './test-images';

/**
 * Routes in the form `POST /v1/estimate`, one of those that share a handler. Operators' routes are left out: they answer callers' keys with
 * 401, whatever the body.
 */
const JSON_ROUTES = oneOfEach(OPERATIONS)
  .filter(({ body, auth }) => body !== undefined && takesJson(body) && auth !== 'operator')
  .map(({ method, path }) => `${method.toUpperCase()} ${path.replace('{model}', 'text-2.5-flash')}`);
const FORM_ROUTES = ['POST /v1/images/edits', 'POST /v1/uploads/images'];

interface Stage extends Pick<RawPost, 'send'>, Partial<Pick<RawPost, 'key' | 'length' | 'headers'>> {
  /** It sends so much that few routes are asked at once, each by an account of its own; absent: all at once. */
  isLarge?: true;
}

const NOTHING: Stage['send'] = () => undefined;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const leave = async ({ socket }: RawBody) => void socket.destroy();
/** More than the largest body of any of these routes. */
const HUGE = 80 * 1024 * 1024;
/** Each route needs or takes one of these fields, and none takes the value that it has here. */
const REFUSED = '{"model":{},"ids":1,"overlap_seconds":-1,"quota":{}}';

/** Models' bodies are JSON, wherever a form may come in its place. */
function takesJson(body: NonNullable<ServedOperation['body']>): boolean {
  return 'models' in body || 'application/json' in body.content;
}

async function pour({ write, socket }: RawBody, bytes: number): Promise<void> {
  let left = bytes;
  for (const chunk = Buffer.alloc(64 * 1024, ' '); left > 0 && socket.bytesRead === 0; left -= chunk.length) {
    if (!(await write(chunk))) return;
  }
}

/** Ways in which a body of JSON comes to nothing, from before its first byte to after its last. */
const JSON_STAGES: Record<string, Stage> = {
  'no key, half a body': { key: 'none', length: 100, send: ({ write }) => void write('{"prompt":') },
  'no key, asks before it sends': { key: 'none', length: 100, headers: { Expect: '100-continue' }, send: NOTHING },
  'another type': { length: 2, headers: { 'Content-Type': 'text/plain' }, send: ({ write }) => void write('{}') },
  compressed: { length: 100, headers: { 'Content-Encoding': 'gzip' }, send: ({ write }) => void write('{}') },
  'declared too large': { length: HUGE, send: ({ write }) => void write('{"prompt":') },
  'declared too large, and poured': { length: HUGE, send: (body) => pour(body, HUGE) },
  'grows too large': { send: (body) => pour(body, HUGE), isLarge: true },
  'not JSON': { length: 9, send: ({ write }) => void write('{"prompt"') },
  'not UTF-8': { length: 2, send: ({ write }) => void write(Buffer.from([0xff, 0xfe])) },
  'held at its beginning': { length: 1000, send: NOTHING },
  'held before its end': { length: 1000, send: ({ write }) => void write(`{"prompt":"${'x'.repeat(900)}`) },
  'held in a chunk': { send: ({ write }) => void write('{"prompt":') },
  trickled: { length: 10_000, send: trickle },
  'asks, is told to go on, and is held': { length: 100, headers: { Expect: '100-continue' }, send: NOTHING },
  'left at its beginning': { length: 1000, send: leave },
  'left in the middle': { length: 1000, send: async (body) => void ((await body.write('{"a":')) && leave(body)) },
  'left at its last byte': {
    length: 12,
    send: async (body) => void ((await body.write('{"model":1}\n')) && leave(body)),
  },
  'ends before its length': { length: 1000, send: ({ socket }) => void socket.end('{"prompt":') },
  'goes on after its length': {
    length: 2,
    send: ({ write }) => void write('{}{"prompt":1}\r\n\r\nGET / HTTP/1.1\r\n\r\n'),
  },
  'broken chunks': { send: ({ socket }) => void socket.write('5\r\n{"a":\r\nXYZ\r\n') },
  'refused by its parameters': { length: REFUSED.length, send: ({ write }) => void write(REFUSED) },
};

async function trickle({ write, socket }: RawBody): Promise<void> {
  while (socket.bytesRead === 0 && (await write(' '))) await delay(50);
}

const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' };
const field = (name: string, value: string) =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
const opened = (name: string) =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n`);
const file = (name: string, bytes: Buffer) => Buffer.concat([opened(name), bytes, Buffer.from('\r\n')]);
const END = Buffer.from('--b--\r\n');
const MANY_FIELDS = Buffer.concat(Array.from({ length: 70 }, (_, index) => field(`f${index}`, 'x')));
const LARGE_FIELDS = Array.from({ length: 63 }, (_, index) => field(`f${index}`, 'é'.repeat(60_000)));
const LARGE_MASK = file('mask', Buffer.concat([pngOf(8, 8), Buffer.alloc(5 * 1024 * 1024)]));
const LARGE_FILE = file('file', Buffer.concat([pngOf(8, 8), Buffer.alloc(20 * 1024 * 1024)]));

const whole = (...parts: Buffer[]): Stage => {
  const bytes = Buffer.concat([...parts, END]);
  return { length: bytes.length, send: ({ write }) => void write(bytes) };
};
const held = (...parts: Buffer[]): Stage => {
  const bytes = Buffer.concat(parts);
  return { length: bytes.length + 1_000_000, send: ({ write }) => void write(bytes) };
};

/** The same of a form. */
const FORM_STAGES: Record<string, Stage> = {
  'no key, half a form': { ...held(opened('image')), key: 'none' },
  'no boundary': { ...whole(), headers: { 'Content-Type': 'multipart/form-data; a=b' } },
  'an empty boundary': { ...whole(), headers: { 'Content-Type': 'multipart/form-data; boundary=' } },
  'declared too large': { length: HUGE * 10, send: (body) => pour(body, 1024 * 1024) },
  'a file too large': whole(LARGE_MASK, LARGE_FILE, file('image', pngOf(8, 8))),
  'a file too large, then held': held(LARGE_MASK, LARGE_FILE),
  'too many fields': whole(MANY_FIELDS),
  'too many fields, then held': held(MANY_FIELDS),
  'too many files': whole(...Array.from({ length: 20 }, () => file('image', pngOf(8, 8)))),
  'too many files, then held': held(...Array.from({ length: 20 }, () => file('image', pngOf(8, 8)))),
  'fields too long together': whole(...LARGE_FIELDS),
  'fields too long together, then held': held(...LARGE_FIELDS),
  'a field too long': whole(field('prompt', 'x'.repeat(200_000))),
  'ends in a file': {
    ...whole(),
    length: opened('image').length,
    send: ({ write }) => void write(opened('image')),
  },
  'ends in an unknown file': { length: opened('x').length, send: ({ write }) => void write(opened('x')) },
  'ends in a header': { length: 20, send: ({ write }) => void write('--b\r\nContent-Dispos') },
  'no form at all': { length: 100, send: ({ write }) => void write('x'.repeat(100)) },
  'held in a file': held(opened('image')),
  'held in an unknown file': held(opened('x')),
  'left in a file': { length: 1000, send: async (body) => void ((await body.write(opened('image'))) && leave(body)) },
  'ends before its length': { length: 1000, send: ({ socket }) => void socket.end(opened('image')) },
  'goes on after its end': {
    ...whole(),
    length: 5000,
    send: ({ write }) => void write(Buffer.alloc(5000, '--b--\r\n')),
  },
  'refused by its files': whole(file('image', Buffer.from('no image')), file('file', Buffer.from('no image'))),
};

let api: ApiProcess;
let key: string;

beforeAll(async () => {
  api = await startApiProcess({
    BODY_PERIOD_SECONDS: '1',
    LOG_LEVEL: 'warn',
  });
  key = await api.createKey();
});
afterAll(() => api?.stop());

/** Answers with what every route gives in every stage. */
async function refuseAll(routes: readonly string[], stages: Record<string, Stage>, headers: Record<string, string>) {
  const table: Record<string, Record<string, string>> = {};
  for (const [name, stage] of Object.entries(stages)) {
    table[name] = {};
    const asked = { ...stage, headers: { ...headers, ...stage.headers } };
    const groups = stage.isLarge ? [...groupsOf(routes, AT_ONCE)] : [routes];
    for (const group of groups) Object.assign(table[name], await refuseOnce(group, asked));
  }
  return table;
}

/** Each of two accounts may hold a third of the memory for bodies, which is more than the largest body. */
const AT_ONCE = 2;

function* groupsOf(routes: readonly string[], size: number): Generator<readonly string[]> {
  for (let at = 0; at < routes.length; at += size) yield routes.slice(at, at + size);
}

async function refuseOnce(routes: readonly string[], stage: Stage): Promise<Record<string, string>> {
  // Another account, that none waits for the refusals before.
  const shared = await api.createKey();
  const answers = await Promise.all(
    routes.map(async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const key = stage.isLarge ? await api.createKey() : shared;
      const { status, leave } = await rawPost({ port: api.port, method, path, key, ...stage });
      // Whoever holds a body on to its end is cut off; nobody waits here for that.
      setTimeout(leave, 500).unref();
      return [route, status === undefined ? 'cut' : String(status)] as const;
    }),
  );
  return Object.fromEntries(answers);
}

/** Resolves when every timer that a request before it had set must have fired: one period after another ends without a byte. */
async function pastEveryTimer(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    const path = '/v1/uploads/images';
    const { status } = await rawPost({
      port: api.port,
      path,
      key,
      headers: JSON_TYPE,
      length: 27_000_000,
      send: NOTHING,
    });
    expect(status).toBe(408);
  }
}

async function expectSound(): Promise<void> {
  await pastEveryTimer();
  expect({ code: api.child.exitCode, signal: api.child.signalCode }).toEqual({ code: null, signal: null });
  expect(await api.health()).toBe(200);
  expect(await api.metrics()).toMatch(/^mediagate_http_stray_errors_total 0$/m);
  expect(api.output()).not.toMatch(/"message":"(?:process\.u|http\.stray)/);
}

/** A connected caller gets the error; the connection of one who left is cut. Absent: 400. */
const ANSWERS: Record<string, string[]> = {
  'no key, half a body': ['401'],
  'no key, half a form': ['401'],
  'no key, asks before it sends': ['401'],
  'another type': ['415'],
  compressed: ['415'],
  'declared too large': ['413'],
  'declared too large, and poured': ['413'],
  'a file too large': ['413'],
  'fields too long together': ['413'],
  'fields too long together, then held': ['413'],
  'a file too large, then held': ['413'],
  'held at its beginning': ['408'],
  'held before its end': ['408'],
  'held in a chunk': ['408'],
  'held in a file': ['408'],
  'held in an unknown file': ['408'],
  trickled: ['408'],
  // Its last byte never comes.
  'ends in a header': ['408'],
  'asks, is told to go on, and is held': ['408'],
  'grows too large': ['413'],
  'left at its beginning': ['cut'],
  'left in the middle': ['cut'],
  'left at its last byte': ['cut'],
  'left in a file': ['cut'],
  // Counting tokens asks a vendor, and none is there.
  'refused by its parameters': ['400', '503'],
};

function expectAnswers(table: Record<string, Record<string, string>>): void {
  for (const [stage, answers] of Object.entries(table)) {
    const others = Object.entries(answers).filter(([, answer]) => !(ANSWERS[stage] ?? ['400']).includes(answer));
    expect([stage, others]).toEqual([stage, []]);
  }
}

function show(table: Record<string, Record<string, string>>, routes: readonly string[]): void {
  const rows = Object.entries(table).map(([stage, answers]) => {
    const counts = new Map<string, number>();
    for (const route of routes) counts.set(answers[route] ?? '-', (counts.get(answers[route] ?? '-') ?? 0) + 1);
    return `  ${stage.padEnd(40)}${[...counts].map(([status, count]) => `${status} x ${count}`).join(', ')}`;
  });
  process.stdout.write(`${routes.length} routes\n${rows.join('\n')}\n`);
}

describe('a body that is refused', () => {
  it('is answered, and leaves the process as it was, at every handler of JSON and every stage, past every timer', async () => {
    const table = await refuseAll(JSON_ROUTES, JSON_STAGES, JSON_TYPE);
    show(table, JSON_ROUTES);
    expectAnswers(table);
    await expectSound();
  });

  it('is answered, and leaves the process as it was, at every route of forms and every stage, past every timer', async () => {
    const table = await refuseAll(FORM_ROUTES, FORM_STAGES, FORM_TYPE);
    show(table, FORM_ROUTES);
    expectAnswers(table);
    await expectSound();
  });

  it('is read no longer where the connection closes: who has the answer and goes on slowly is cut', async () => {
    const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        answer += chunk;
      });
    const ended = once(socket, 'end');
    const head = ['POST /v1/images/generations HTTP/1.1', 'Host: x', 'Connection: close', 'Content-Length: 10000'];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    // Only bytes that the service resets show its end.
    while (!socket.destroyed) {
      socket.write(' ');
      await delay(50);
    }
  });

  it('that comes too slowly is refused by that reason', async () => {
    const { status, text, leave } = await rawPost({
      port: api.port,
      path: '/v1/images/generations',
      key,
      headers: JSON_TYPE,
      length: 100,
      send: NOTHING,
    });
    leave();
    expect(status).toBe(408);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      // Files are on a disk here: there are no links to write to.
      error: { reason: 'request_timeout', message: 'The request body arrived too slowly: send at least 16 kB/s.' },
    });
  });
});
