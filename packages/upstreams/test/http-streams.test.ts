import { createHash } from 'node:crypto';
import type { LookupFunction, Socket } from 'node:net';
import { HELD_LIMIT_MS, holdLimits } from '@mediagate/testkit/clock';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type StreamAnswer,
  type StreamReply,
  type StreamRequest,
} from '../src';
import {
  closedOrigin,
  type Replay,
  type ReplayServer,
  replyWith,
  startReplayServer,
} from '../src/conformance/replay-server';
import { type RawServer, startRawServer } from './raw-server';

const servers: { close(): Promise<void> }[] = [];
let client: HttpClient | undefined;
const limits = holdLimits();

afterEach(async () => {
  await client?.close();
  client = undefined;
  for (const server of servers.splice(0)) await server.close();
});

async function listen(replay: Replay): Promise<ReplayServer> {
  const server = await startReplayServer(replay);
  servers.push(server);
  return server;
}

async function listenRaw(answer: (socket: Socket) => void): Promise<RawServer> {
  const server = await startRawServer(answer);
  servers.push(server);
  return server;
}

function open(options?: HttpClientOptions): HttpClient {
  client = createHttpClient(options);
  return client;
}

function request(url: string, changes: Partial<StreamRequest> = {}): StreamRequest {
  return {
    method: 'POST',
    url,
    headers: {},
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
    headersTimeoutMs: 60_000,
    bodyTimeoutMs: 60_000,
    maxBodyBytes: 64 * 1024 * 1024,
    ...changes,
  };
}

const ok: Replay = (response) => replyWith(response, 200, {}, { fine: true });

function answered(reply: StreamReply): StreamAnswer {
  if (reply.kind !== 'answer') throw new Error(`no answer: ${reply.why}`);
  return reply;
}

async function readAll(pieces: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const read = ({ body }: StreamAnswer) => readAll(body);

/** The ways that an answer may be read. */
const READERS: Readonly<Record<string, (answer: StreamAnswer) => Promise<string>>> = {
  'piece by piece': read,
  whole: async ({ body }) => String(await body.whole(() => undefined)),
};
const WAYS = Object.keys(READERS);

function readIn(way: string, answer: StreamAnswer): Promise<string> {
  return (READERS[way] ?? read)(answer);
}

/** Refuses a name that leads where its origin must not. */
const refuseLookup: LookupFunction = (_name, _options, done) => {
  setImmediate(() => done(Object.assign(new Error('refused'), { code: 'EADDRNOTPUBLIC' }), []));
};

it('looks up the host of an origin as it is asked to, and sends nothing where that is refused', async () => {
  const { origin, received } = await listen(ok);
  const named = origin.replace('127.0.0.1', 'localhost');
  const http = open({ lookupFor: (asked) => (asked === named ? refuseLookup : undefined) });
  const whole = { ...request(named), body: { json: {} }, timeoutMs: 60_000, maxResponseBytes: 100 };
  for (const reply of [await http.stream(request(named)), await http.send(whole)]) {
    expect(reply).toMatchObject({ kind: 'lost', sent: false, why: 'network' });
  }
  expect(await http.stream(request(origin))).toMatchObject({ kind: 'answer', status: 200 });
  expect(received).toHaveLength(1);
});

/** Why reading broke off; never what was read. */
async function breakOf(answer: StreamAnswer, way = ''): Promise<unknown> {
  return readIn(way, answer).then(
    () => 'whole',
    (error: unknown) => (error as { why?: unknown }).why,
  );
}

describe('what goes out', () => {
  it('is what was given: method, path, query, headers and the body to the byte', async () => {
    const { origin, received } = await listen(ok);
    const body = Buffer.from('{ "a" :\n"ü"}');
    const headers = { 'x-goog-api-key': 'secret', 'content-type': 'application/json' };
    await read(answered(await open().stream(request(`${origin}/v1/x:y?alt=sse`, { headers, body }))));
    expect(received).toMatchObject([
      { method: 'POST', path: '/v1/x:y?alt=sse', headers: { ...headers, 'content-length': String(body.length) }, body },
    ]);
  });

  it('asks for bytes as they are', async () => {
    const { origin, received } = await listen(ok);
    await read(answered(await open().stream(request(origin))));
    expect(received[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'mediagate' });
  });

  it('throws what is a bug of the caller instead of calling it a network failure', async () => {
    const { origin, received } = await listen(ok);
    const broken = open().stream(request(origin, { headers: { authorization: 'Bearer a\nb' } }));
    await expect(broken).rejects.toThrow('invalid authorization header');
    expect(received).toEqual([]);
  });

  it('goes nowhere else when the vendor redirects', async () => {
    const { origin, received } = await listen((response) =>
      replyWith(response, 307, { location: '/elsewhere' }, 'moved'),
    );
    expect(await open().stream(request(origin))).toMatchObject({ status: 307, headers: { location: '/elsewhere' } });
    expect(received).toHaveLength(1);
  });
});

describe('connections', () => {
  it('are kept for the next request', async () => {
    const { origin, connections } = await listen(ok);
    const http = open();
    for (const _ of [1, 2, 3]) expect(await read(answered(await http.stream(request(origin))))).toBe('{"fine":true}');
    expect(connections()).toBe(1);
  });

  it('are no more than allowed; who still waits at his deadline has sent nothing', async () => {
    const { origin, waitFor, connections, received } = await listen(() => undefined);
    const http = open({ streamed: { maxConnections: 1 } });
    const abort = new AbortController();
    const first = http.stream(request(origin, { signal: abort.signal }));
    await waitFor(1);
    expect(await http.stream(request(origin, { headersTimeoutMs: 50 }))).toEqual({
      kind: 'lost',
      sent: false,
      why: 'deadline',
    });
    abort.abort();
    expect(await first).toEqual({ kind: 'lost', sent: true, why: 'aborted' });
    expect([connections(), received.length]).toEqual([1, 1]);
  });

  it('serve those who wait in their turn', async () => {
    const { origin, connections, received } = await listen(ok);
    const http = open({ streamed: { maxConnections: 2 } });
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    await Promise.all(paths.map(async (path) => read(answered(await http.stream(request(origin + path))))));
    expect(connections()).toBe(2);
    expect(received.map(({ path }) => path)).toEqual(paths);
  });

  it('serve the next one after a failure too', async () => {
    const { origin } = await listen((response, index) => (index === 0 ? response.destroy() : ok(response, index)));
    const http = open({ streamed: { maxConnections: 1 } });
    const [first, second] = await Promise.all([http.stream(request(origin)), http.stream(request(origin))]);
    expect(first).toMatchObject({ kind: 'lost', sent: true });
    expect(await read(answered(second))).toBe('{"fine":true}');
  });

  it('are waited for by a bounded number', async () => {
    const { origin, waitFor, received } = await listen(() => undefined);
    const http = open({ streamed: { maxConnections: 1, maxWaiting: 1 } });
    void http.stream(request(origin));
    await waitFor(1);
    void http.stream(request(origin));
    expect(await http.stream(request(origin))).toEqual({ kind: 'lost', sent: false, why: 'busy' });
    expect(received).toHaveLength(1);
  });

  it('are waited for no longer than allowed, whatever the deadline; who gives up takes nobody his turn', async () => {
    const { origin, waitFor, received } = await listen((response, index) => index > 0 && ok(response, index));
    const http = open({ streamed: { maxConnections: 1, maxWaitMs: HELD_LIMIT_MS } });
    const abort = new AbortController();
    const first = http.stream(request(origin, { signal: abort.signal }));
    await waitFor(1);
    const second = http.stream(request(origin));
    limits.pass();
    expect(await second).toEqual({ kind: 'lost', sent: false, why: 'busy' });
    const next = http.stream(request(`${origin}/next`));
    abort.abort();
    await first;
    expect(await read(answered(await next))).toBe('{"fine":true}');
    expect(received.map(({ path }) => path)).toEqual(['/', '/next']);
  });

  it('may take longer than one waits for them, once there is one', async () => {
    const answers: (() => void)[] = [];
    const { origin, waitFor } = await listen((response, index) => void answers.push(() => ok(response, index)));
    const http = open({ streamed: { maxConnections: 1, maxWaitMs: HELD_LIMIT_MS } });
    const both = [http.stream(request(origin)), http.stream(request(origin))];
    for (const [index, reply] of both.entries()) {
      await waitFor(index + 1);
      if (index === 1) limits.pass();
      answers[index]?.();
      expect(await read(answered(await reply))).toBe('{"fine":true}');
    }
  });

  it('go to a bounded number of origins; one out of use makes room', async () => {
    const [one, other] = [await listen(ok), await listen(ok)];
    const http = open({ streamed: { maxOrigins: 1 } });
    const held = answered(await http.stream(request(one.origin)));
    // Read only later, so that the first origin is in use or free by the client's own account, not by chance.
    await read(held);
    expect(await read(answered(await http.stream(request(other.origin))))).toBe('{"fine":true}');
    const hanging = await listen(() => undefined);
    void http.stream(request(hanging.origin));
    await hanging.waitFor(1);
    expect(await http.stream(request(one.origin))).toEqual({ kind: 'lost', sent: false, why: 'busy' });
  });

  it('are all closed by closing: waiting, sent and half-answered requests end, later ones are not sent', async () => {
    const { origin, waitFor } = await listen((response, index) => {
      if (index === 0) response.write('begun');
    });
    const http = open({ streamed: { maxConnections: 2 } });
    const begun = answered(await http.stream(request(origin)));
    const sent = http.stream(request(origin));
    await waitFor(2);
    const waiting = http.stream(request(origin));
    await http.close();
    expect(await breakOf(begun)).toBe('cut');
    expect(await sent).toMatchObject({ kind: 'lost', sent: true });
    expect(await waiting).toEqual({ kind: 'lost', sent: false, why: 'busy' });
    expect(await http.stream(request(origin))).toEqual({ kind: 'lost', sent: false, why: 'aborted' });
  });
});

describe('a request without an answer', () => {
  it('was not sent when the connection is refused; the code tells why, and nothing else', async () => {
    const headers = { authorization: 'Bearer secret' };
    const reply = await open().stream(request(await closedOrigin(), { headers }));
    expect(reply).toEqual({ kind: 'lost', sent: false, why: 'network', code: 'ECONNREFUSED' });
  });

  it('was not sent when the handshake fails', async () => {
    const { origin, received } = await listen(ok);
    const reply = await open().stream(request(origin.replace('http:', 'https:')));
    expect(reply).toMatchObject({ kind: 'lost', sent: false, why: 'network' });
    expect(received).toEqual([]);
  });

  it.each([
    ['connect timeout', { connectTimeoutMs: 100 }, {}, 'connect_timeout'],
    ['deadline', {}, { headersTimeoutMs: 100 }, 'deadline'],
    ['abort', {}, { signal: AbortSignal.timeout(100) }, 'aborted'],
  ] as const)('was not sent when the handshake does not end before the %s', async (_, options, changes, why) => {
    const { origin } = await listenRaw(() => undefined);
    const signal = 'signal' in changes ? AbortSignal.timeout(100) : new AbortController().signal;
    const reply = await open(options).stream(request(origin.replace('http:', 'https:'), { ...changes, signal }));
    expect(reply).toEqual({ kind: 'lost', sent: false, why });
  });

  it('was sent when a used connection is reset', async () => {
    const { origin, connections } = await listen((response, index) =>
      index === 0 ? ok(response, index) : response.destroy(),
    );
    const http = open();
    await read(answered(await http.stream(request(origin))));
    expect(await http.stream(request(origin))).toMatchObject({ kind: 'lost', sent: true, why: 'network' });
    expect(connections()).toBe(1);
  });

  it('was sent when the vendor is silent until the deadline, and its connection is closed', async () => {
    let taken = () => {};
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const server = await listenRaw(() => taken());
    const reply = open().stream(request(server.origin, { headersTimeoutMs: HELD_LIMIT_MS }));
    await isTaken;
    limits.pass();
    expect(await reply).toEqual({ kind: 'lost', sent: true, why: 'deadline' });
    await closedOf(server);
  });

  it('was sent when what comes is no HTTP', async () => {
    const { origin } = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
    expect(await open().stream(request(origin))).toMatchObject({ kind: 'lost', sent: true, why: 'network' });
  });

  it('was not sent when the caller had already left', async () => {
    const { origin, connections } = await listen(ok);
    const reply = await open().stream(request(origin, { signal: AbortSignal.abort() }));
    expect(reply).toEqual({ kind: 'lost', sent: false, why: 'aborted' });
    expect(connections()).toBe(0);
  });
});

describe('an answer', () => {
  it('comes as it is made', async () => {
    let proceed = () => {};
    const { origin } = await listen((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write('first');
      proceed = () => response.end(' last');
    });
    const answer = answered(await open().stream(request(origin)));
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'audio/mpeg' } });
    const chunks = answer.body[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('first');
    proceed();
    expect(String((await chunks.next()).value)).toBe(' last');
    expect(await chunks.next()).toMatchObject({ done: true });
  });

  it('is not what informs before it', async () => {
    const { origin } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine');
    });
    const answer = answered(await open().stream(request(origin)));
    expect([answer.status, await read(answer)]).toEqual([200, 'fine']);
  });

  it('that its vendor ends by closing, as HTTP/1.0 does, is whole', async () => {
    const { origin } = await listenRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nfine'));
    expect(await read(answered(await open().stream(request(origin))))).toBe('fine');
  });

  it('ends when its reader leaves', async () => {
    const server = await listenRaw((socket) => socket.write(`${chunkedHead}4\r\nfine\r\n`));
    const answer = answered(await open().stream(request(server.origin)));
    for await (const chunk of answer.body) {
      expect(String(chunk)).toBe('fine');
      break;
    }
    await closedOf(server);
  });

  it.each(WAYS)('that is read %s ends when its caller aborts, at once', async (way) => {
    const server = await listenRaw((socket) => socket.write(`${chunkedHead}4\r\nfine\r\n`));
    const abort = new AbortController();
    const answer = answered(await open().stream(request(server.origin, { signal: abort.signal })));
    const reading = breakOf(answer, way);
    abort.abort();
    expect(await reading).toBe('aborted');
    await closedOf(server);
  });

  it('is whole where its vendor ends a kept connection while nobody reads', async () => {
    // As much as may wait: the last byte, and no other, makes the vendor wait.
    const text = 'x'.repeat(64 * 1024);
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`;
    const server = await listenRaw((socket) => socket.end(`${head}${text}`));
    const answer = answered(await open().stream(request(server.origin)));
    await closedOf(server);
    expect(await read(answer)).toBe(text);
  });

  it('that breaks while nobody reads it waits with its error', async () => {
    const server = await listenRaw((socket) => socket.end(`${chunkedHead}4\r\nfine\r\n`));
    const answer = answered(await open().stream(request(server.origin)));
    await closedOf(server);
    expect(await breakOf(answer)).toBe('cut');
  });

  it.each(WAYS)('without a byte is broken, read %s', async (way) => {
    const { origin } = await listen((response) => replyWith(response, 200, {}, ''));
    expect(await breakOf(answered(await open().stream(request(origin))), way)).toBe('empty');
  });

  it.each(WAYS)('that is read %s is cut at its bound, and its vendor is left', async (way) => {
    const { origin } = await listen((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    const answer = answered(await open().stream(request(origin, { maxBodyBytes: 1024 * 1024 })));
    expect(await breakOf(answer, way)).toBe('too_large');
  });
});

const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** No connection is left, and none was made beside the one. */
async function closedOf(server: RawServer): Promise<void> {
  expect(server.connections()).toBe(1);
  while (server.open() > 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('an answer that is cut', () => {
  const MORE = 'x'.repeat(512 * 1024);
  const heads = {
    'with a length': 'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n',
    'in chunks': `${chunkedHead}ffffff\r\n`,
    'with a length, on a connection that is not kept':
      'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n',
    'in chunks, on a connection that is not kept':
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n',
    'with a length, in HTTP/1.0': 'HTTP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n',
  };
  const sizes = { short: 'x', long: MORE };
  const cuts = {
    ended: (socket: Socket) => socket.end(),
    reset: (socket: Socket) => socket.resetAndDestroy(),
  };
  const cases = Object.keys(heads).flatMap((head) =>
    Object.keys(sizes).flatMap((size) => Object.keys(cuts).map((cut) => [size, head, cut] as const)),
  );

  it.each(cases)('%s, %s, %s: breaks for a reader who comes late, and for nobody', async (size, head, cut) => {
    const cutOff = cuts[cut as keyof typeof cuts];
    const server = await listenRaw((socket) => {
      socket.write(heads[head as keyof typeof heads] + sizes[size as keyof typeof sizes], () => cutOff(socket));
    });
    const http = open();
    const replies = await Promise.all(['', ...WAYS].map(() => http.stream(request(server.origin))));
    const [unread, ...unbroken] = replies.map(answered);
    // Some turns of the event loop, in which the cut arrives on connections that are held.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    for (const [index, answer] of unbroken.entries()) expect(await breakOf(answer, WAYS[index])).toBe('cut');
    unread?.body.close();
  });
});

describe('a whole answer of a vendor that does not keep the connection', () => {
  const BODY = Buffer.alloc(3 * 1024 * 1024, 'abcdefg');
  const heads = {
    'with a length': `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n`,
    'without one': 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n',
    'in HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\n',
  };

  it.each(Object.entries(heads))('%s is whole for a slow reader', async (_, head) => {
    const { origin } = await listenRaw((socket) => {
      socket.write(head);
      socket.end(BODY);
    });
    const answer = answered(await open().stream(request(origin)));
    const hash = createHash('sha256');
    for await (const chunk of answer.body) {
      hash.update(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(BODY).digest('hex'));
  });
});

describe('back-pressure', () => {
  /** The buffers of both sides of one loopback connection together hold fewer bytes than this. */
  const IN_FLIGHT_BYTES = 16 * 1024 * 1024;

  it.each(WAYS)(
    'reaches the vendor while nobody reads, and all that it sent comes in the end, read %s',
    async (way) => {
      const total = 24 * 1024 * 1024;
      let taken = 0;
      const { origin } = await listen((response) => {
        response.writeHead(200, { 'content-length': total });
        const piece = Buffer.alloc(64 * 1024, 'x');
        const write = () => {
          if (taken === total) response.end();
          else response.write(piece, write);
          taken += piece.length;
        };
        write();
      });
      const answer = answered(await open().stream(request(origin)));
      let before = -1;
      while (before !== taken) {
        before = taken;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(taken).toBeLessThan(IN_FLIGHT_BYTES);
      expect((await readIn(way, answer)).length).toBe(total);
    },
  );
});

describe('silence', () => {
  it.each(WAYS)('in the middle of an answer that is read %s breaks it', async (way) => {
    const server = await listenRaw((socket) => socket.write(`${chunkedHead}4\r\nfine\r\n`));
    const answer = answered(await open().stream(request(server.origin, { bodyTimeoutMs: 100 })));
    expect(await breakOf(answer, way)).toBe('stalled');
    await closedOf(server);
  });

  it('before the first byte of a body breaks it', async () => {
    const { origin } = await listenRaw((socket) => socket.write(chunkedHead));
    const answer = answered(await open().stream(request(origin, { bodyTimeoutMs: 100 })));
    expect(await breakOf(answer)).toBe('stalled');
  });

  it('of a reader is none of the vendor, whose own is counted again from then on', async () => {
    const { origin } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n');
      socket.write(Buffer.alloc(256 * 1024, 'x'));
    });
    const answer = answered(await open().stream(request(origin, { bodyTimeoutMs: 100 })));
    await new Promise((resolve) => setTimeout(resolve, 300));
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of answer.body) bytes += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ why: 'stalled' });
    expect(bytes).toBe(256 * 1024);
  });

  it('is not what a vendor sent while this process did not run', async () => {
    let vendor: Socket | undefined;
    const { origin } = await listenRaw((socket) => {
      vendor = socket;
      socket.write(`${chunkedHead}4\r\nfine\r\n`);
    });
    const answer = answered(await open().stream(request(origin, { bodyTimeoutMs: 200 })));
    vendor?.write('6\r\n still\r\n0\r\n\r\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await read(answer)).toBe('fine still');
  });

  it('shorter than the limit breaks nothing, however often', async () => {
    const { origin } = await listen((response) => {
      let left = 12;
      const timer = setInterval(() => {
        left -= 1;
        if (left > 0) response.write('.');
        else {
          clearInterval(timer);
          response.end('!');
        }
      }, 25);
    });
    const answer = answered(await open().stream(request(origin, { bodyTimeoutMs: 2000 })));
    expect(await read(answer)).toBe('...........!');
  });
});
