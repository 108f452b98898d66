import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One caller's attack, run in a process of its own: what it costs to send must not be taken for what it does. */
export interface Attack {
  kind: keyof typeof BODIES;
  port: number;
  key: string;
  /** Connections at once, each of which begins anew when it is answered or cut. */
  connections: number;
  seconds: number;
}

/** How often each status was answered; `cut`: the connection ended without an answer. */
export type Tally = Record<string, number>;

interface Body {
  method?: 'GET';
  path: string;
  type: string;
  bytes: Buffer;
  /** Declared beyond what is sent. */
  missing?: number;
  /** Sent piece by piece with a pause, in milliseconds. */
  pieces?: { bytes: number; pauseMs: number };
}

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data; boundary=b';
const TEXT = '/v1beta/models/text-2.5-flash:generateContent';

const jsonOf = (path: string, text: string): Body => ({ path, type: JSON_TYPE, bytes: Buffer.from(text) });
const many = (before: string, item: string, mebibytes: number): string =>
  `${before}[${Array(Math.floor((mebibytes * MIB) / (item.length + 1)))
    .fill(item)
    .join(',')}]}`;
const filled = (mebibytes: number): string => Buffer.alloc(mebibytes * MIB, 0x41).toString('base64');
const part = (name: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
const field = (name: string, value: string): Buffer =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
const END = Buffer.from('--b--\r\n');

/** Bodies that are dear to whoever takes them without thought. Made when they are asked for: they are large. */
const BODIES = {
  'objects in an upload': () => jsonOf('/v1/uploads/images', many('{"data":"x","x":', '{}', 27)),
  'objects in a text': () => jsonOf(TEXT, many('{"contents":', '{}', 19)),
  'objects in a picture': () => jsonOf('/v1/images/generations', many('{"model":"imagegen-2","x":', '{}', 7)),
  'numbers in a small body': () => jsonOf('/v1/images/generations', many('{"model":"imagegen-2","x":', '1', 0.24)),
  'quotes in a picture': () => jsonOf('/v1/videos/generations', many('{"model":"videod-02","x":', '""', 27)),
  'escapes in a text': () => jsonOf(TEXT, `{"contents":[{"parts":[{"text":"${'\\u0041'.repeat(3 * MIB)}"}]}]}`),
  'a file in JSON': () => jsonOf('/v1/uploads/images', `{"data":"data:image/png;base64,${filled(20)}"}`),
  'a file in a text': () =>
    jsonOf(TEXT, `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"${filled(14)}"}}]}]}`),
  'files in a form': () => ({
    path: '/v1/images/edits',
    type: FORM_TYPE,
    bytes: Buffer.concat([...[19, 19, 19].map((mebibytes) => part('image', Buffer.alloc(mebibytes * MIB))), END]),
  }),
  'boundaries in a form': () => ({
    path: '/v1/images/edits',
    type: FORM_TYPE,
    bytes: part('image', Buffer.alloc(19 * MIB, '\r\n--')),
  }),
  'a form that is held': () => ({
    path: '/v1/images/edits',
    type: FORM_TYPE,
    bytes: Buffer.concat([19, 19, 19].map((mebibytes) => part('image', Buffer.alloc(mebibytes * MIB)))),
    missing: 1000,
  }),
  'fields in a form that is held': () => ({
    path: '/v1/uploads/images',
    type: FORM_TYPE,
    bytes: Buffer.concat(Array.from({ length: 63 }, (_, index) => field(`f${index}`, `€${'a'.repeat(127_000)}`))),
    missing: 1000,
  }),
  'JSON that is held': () => ({
    ...jsonOf('/v1/uploads/images', `{"data":"data:image/png;base64,${filled(20)}`),
    missing: 1000,
  }),
  'small submissions': () =>
    jsonOf('/v1/images/generations', '{"model":"imagegen-2.5-flare","prompt":"a lighthouse","quality":"low"}'),
  'polls of nothing': () => ({ ...jsonOf(`/v1/tasks/task_${'0'.repeat(26)}`, ''), method: 'GET' }),
  'JSON that trickles': () => ({
    ...jsonOf('/v1/images/generations', `{"prompt":"${'x'.repeat(200_000)}"}`),
    pieces: { bytes: 1, pauseMs: 20 },
  }),
} satisfies Record<string, () => Body>;

export const ATTACK_KINDS = Object.keys(BODIES) as Attack['kind'][];

async function attack({ kind, port, key, connections, seconds }: Attack): Promise<Tally> {
  const body: Body = BODIES[kind]();
  const ends = Date.now() + seconds * 1000;
  const tally: Tally = {};
  const open = new Set<Socket>();
  async function keepOn(): Promise<void> {
    while (Date.now() < ends) {
      const status = await send(body, port, key, open);
      tally[status] = (tally[status] ?? 0) + 1;
    }
  }
  const over = setTimeout(() => {
    for (const socket of open) socket.destroy();
  }, seconds * 1000);
  await Promise.all(Array.from({ length: connections }, keepOn));
  clearTimeout(over);
  return tally;
}

/** Resolves with the status of the answer, or with how the connection ended. */
async function send(body: Body, port: number, key: string, open: Set<Socket>): Promise<string> {
  const { method = 'POST', path, type, bytes, missing = 0, pieces } = body;
  const socket = connect(port, '127.0.0.1');
  open.add(socket);
  let status = 'cut';
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? status;
      socket.destroy();
    });
  });
  const length = bytes.length + missing;
  const head = ['Host: x', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, `Content-Length: ${length}`];
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  if (pieces) {
    for (let at = 0; at < bytes.length && !socket.destroyed; at += pieces.bytes) {
      socket.write(bytes.subarray(at, at + pieces.bytes));
      await delay(pieces.pauseMs);
    }
  } else socket.write(bytes);
  await closed;
  open.delete(socket);
  return status;
}

if (process.send) {
  process.on('message', async (given: Attack) => process.send?.(await attack(given)));
  process.send('ready');
}
