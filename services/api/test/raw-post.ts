import { connect, type Socket } from 'node:net';

/** Any way to send a body, right or wrong. */
export interface RawPost {
  port: number;
  /** Default POST. */
  method?: string;
  path: string;
  key?: string;
  headers?: Record<string, string>;
  /** Declared, whatever is sent; absent: in chunks. */
  length?: number;
  /** Sends the body, and may do anything to the connection. */
  send(body: RawBody): Promise<void> | void;
}

export interface RawBody {
  socket: Socket;
  /** Framed as a chunk where no length was declared. False once nobody takes any more. */
  write(bytes: Buffer | string): Promise<boolean>;
  end(): Promise<boolean>;
}

export interface RawAnswer {
  /** Undefined: the connection ended without an answer. */
  status: number | undefined;
  text: string;
  /** Ends the connection. */
  leave(): void;
}

/** Sends the head and the body, and resolves with the first answer, or with the end of the connection. */
export async function rawPost({
  port,
  method = 'POST',
  path,
  key,
  headers = {},
  length,
  send,
}: RawPost): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('close', resolve).on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (/^HTTP\/1\.1 (?!100)\d+/m.test(text)) resolve();
    });
  });
  const all = {
    Host: 'x',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...(length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  await connected(socket);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await send(bodyOf(socket, length === undefined));
  await answered;
  const status = /^HTTP\/1\.1 (?!100)(\d+)/m.exec(text)?.[1];
  return { status: status === undefined ? undefined : Number(status), text, leave: () => socket.destroy() };
}

async function connected(socket: Socket): Promise<void> {
  if (socket.connecting) await eventOrEnd(socket, 'connect');
}

/** Resolves at the event, or at the end of the connection. */
function eventOrEnd(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off(event, done).off('close', done);
      resolve();
    };
    socket.on(event, done).on('close', done);
    if (socket.destroyed) done();
  });
}

function bodyOf(socket: Socket, chunked: boolean): RawBody {
  async function write(bytes: Buffer | string): Promise<boolean> {
    if (!socket.writable) return false;
    const frame = chunked ? Buffer.concat([hex(bytes), Buffer.from(bytes as string), Buffer.from('\r\n')]) : bytes;
    if (!socket.write(frame)) await eventOrEnd(socket, 'drain');
    return socket.writable;
  }
  return { socket, write, end: async () => (chunked ? socket.write('0\r\n\r\n') : socket.writable) };
}

function hex(bytes: Buffer | string): Buffer {
  return Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`);
}
