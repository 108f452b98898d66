import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import { apiSettings } from './config';
import { createShutdown } from './http/caller-watch';
import { listen } from './server';

const HOST = '127.0.0.1';
const anyPort = () => ({ port: 0, host: HOST, shutdown: createShutdown(), keepAliveMs: 75_000, legacyPrefix: 'mj' });

describe('listen', () => {
  it('names the port and the variable when the port is taken', async () => {
    const first = await listen(express(), anyPort());
    await expect(listen(express(), { ...anyPort(), port: first.port })).rejects.toThrow(
      `port ${first.port} is in use: stop what listens there, or set PORT to another one`,
    );
    await first.drain();
  });

  it('lets a request in flight finish, tells its client to leave, and takes no other, when it drains', async () => {
    let arrived: () => void = () => undefined;
    let answer: () => void = () => undefined;
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const app = express().get('/slow', (_request, response) => {
      answer = () => response.end('done');
      arrived();
    });
    const server = await listen(app, anyPort());
    const url = `http://${HOST}:${server.port}/slow`;
    const slow = fetch(url);
    await inFlight;
    const drained = server.drain();
    await expect(connectTo(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    answer();
    expect(await (await slow).text()).toBe('done');
    await drained;
  });

  it('announces in each answer how long it keeps an idle connection, and closes that one at once when it drains', async () => {
    const app = express().get('/', (_request, response) => {
      response.end('done');
    });
    const server = await listen(app, anyPort());
    const socket = connect(server.port, HOST);
    const answered = once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await answered)[0])).toContain('\r\nKeep-Alive: timeout=75\r\n');
    const closed = once(socket, 'close');
    await server.drain();
    await closed;
  });

  it('keeps idle connections longer than the 120 s of proxies by default', () => {
    expect(apiSettings.KEEP_ALIVE_SECONDS.default).toBeGreaterThan(120);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid_request'],
    [
      'headers beyond the limit',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'payload_too_large',
    ],
    ['HTTP/1.1 without a Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    [
      'an expectation it does not know',
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 3\r\n\r\nabc',
      417,
      'invalid_request',
    ],
  ])('answers %s in the shape of an error, with an id', async (_what, text, status, reason) => {
    const server = await listen(express(), anyPort());
    const answer = await exchangeRaw(server.port, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: {
        code: status,
        message: expect.any(String),
        type: 'invalid_request_error',
        reason,
        request_id: expect.any(String),
      },
    });
    await server.drain();
  });

  it('refuses in the language of the caller where the headers were read', async () => {
    const server = await listen(express(), anyPort());
    const answer = await exchangeRaw(server.port, 'GET / HTTP/1.1\r\nAccept-Language: de\r\n\r\n');
    expect(answer).toContain('\r\nContent-Language: de\r\n');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: { message: 'Der Header Host fehlt.' },
    });
    await server.drain();
  });

  it('refuses HTTP that two readers read in two ways, and serves nothing that hides behind it', async () => {
    // It answers a body that has ended, as routes do: an answer to the head alone may come before the fault in the body.
    const app = express().use((request, response) => {
      request.resume().once('end', () => response.end(request.url));
    });
    const server = await listen(app, anyPort());
    const accepted = [];
    for (const [what, headers] of Object.entries(TWO_READINGS)) {
      const text = `POST / HTTP/1.1\r\nHost: x\r\n${headers}GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n`;
      const answer = await exchangeRaw(server.port, text);
      if (!answer.startsWith('HTTP/1.1 400 ') || answer.includes('HTTP/1.1 200 ')) accepted.push({ what, answer });
    }
    await server.drain();
    expect(accepted).toEqual([]);
  });

  it("gives the caller's own request id back where Node would have answered by itself", async () => {
    const server = await listen(express(), anyPort());
    const answer = await exchangeRaw(server.port, 'GET / HTTP/1.1\r\nX-Request-Id: order-42\r\n\r\n');
    expect(answer).toContain('\r\nX-Request-Id: order-42\r\n');
    await server.drain();
  });

  it('serves HTTP/1.0, which has no Host', async () => {
    const app = express().get('/', (_request, response) => {
      response.end('served');
    });
    const server = await listen(app, anyPort());
    expect(await exchangeRaw(server.port, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/served$/);
    await server.drain();
  });

  it('cuts a reader that stops reading, and lets go of what it was sent', async () => {
    const file = endless();
    const app = express().get('/file', (_request, response) => {
      response.once('close', () => file.destroy());
      file.pipe(response);
    });
    const server = await listen(app, { ...anyPort(), idleTimeoutMs: 100 });
    const reader = connect(server.port, HOST).on('error', () => undefined);
    try {
      reader.pause().write('GET /file HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(file, 'close');
    } finally {
      reader.destroy();
      await server.drain();
    }
  });

  it('gives requests and responses the prototypes of the application at birth', async () => {
    const app = express();
    const { setPrototypeOf } = Object;
    let changed = 0;
    Object.setPrototypeOf = (object: object, prototype: object | null) => {
      if (Object.getPrototypeOf(object) !== prototype) changed += 1;
      return setPrototypeOf(object, prototype);
    };
    app.get('/', (request, response) => {
      response.end(request.path);
    });
    const server = await listen(app, anyPort());
    try {
      changed = 0;
      expect(await (await fetch(`http://${HOST}:${server.port}/`)).text()).toBe('/');
      expect(changed).toBe(0);
    } finally {
      Object.setPrototypeOf = setPrototypeOf;
      await server.drain();
    }
  });
});

/** Headers, with the body that they announce, whose end two readers see in two places. */
const TWO_READINGS = {
  'two lengths': 'Content-Length: 0\r\nContent-Length: 5\r\n\r\n',
  'a length and chunks': 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'chunks in another spelling': 'Transfer-Encoding: xchunked\r\n\r\n',
  'two encodings': 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'a blank before the colon': 'Content-Length : 0\r\n\r\n',
  'a folded header': 'X: a\r\n Content-Length: 5\r\nContent-Length: 0\r\n\r\n',
  'a signed length': 'Content-Length: +0\r\n\r\n',
  'a chunk size that is none': 'Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n',
  'a bare carriage return': 'X: a\rContent-Length: 0\r\n\r\n',
  'a NUL in a header': 'X: a\0b\r\n\r\n',
};

/** Sends the text and reads until the server closes. */
async function exchangeRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, HOST);
  socket.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function endless(): Readable {
  const chunk = Buffer.alloc(64 * 1024);
  return new Readable({
    read() {
      this.push(chunk);
    },
  });
}

function connectTo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, HOST, () => {
      socket.destroy();
      resolve();
    }).on('error', reject);
  });
}
