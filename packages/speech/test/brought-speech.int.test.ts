import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { forEachTest } from '@mediagate/testkit';
import { openSpeech, openSpeechPort, type WaitingCaller } from '../src';
import { REPEAT_AFTER_MS } from '../src/wire';

const KIB = 1024;

const port = forEachTest(() => openSpeechPort({ host: '127.0.0.1', port: 0 }));
afterEach(() => port.close());

interface Opened {
  listener?: WaitingCaller['listener'];
  fence?: number;
  signal?: AbortSignal;
  silentMs?: number;
}

const never = new AbortController().signal;
const notReached: Error[] = [];

const open = (
  caller: WaitingCaller,
  { listener = caller.listener, fence = 1, signal = never, ...limits }: Opened = {},
) => openSpeech(listener, { fence, signal, ...limits }, (error) => notReached.push(error));

async function bring(caller: WaitingCaller, opened?: Opened) {
  const speech = await open(caller, opened);
  if (speech === undefined) throw new Error('nobody waits');
  return speech;
}

/** A caller whose socket takes everything at once. */
function hearAll(caller: WaitingCaller) {
  const chunks: Buffer[] = [];
  const end = caller.hear((bytes, onTaken) => {
    chunks.push(bytes);
    onTaken();
  });
  return { end, bytes: () => Buffer.concat(chunks) };
}

/** A caller whose socket takes bytes when the test says so. */
function hearByHand(caller: WaitingCaller) {
  const taken: (() => void)[] = [];
  let [bytes, onBytes]: [number, () => void] = [0, () => undefined];
  const end = caller.hear((chunk, onTaken) => {
    bytes += chunk.length;
    taken.push(onTaken);
    onBytes();
  });
  const first = new Promise<void>((resolve) => {
    onBytes = resolve;
  });
  const takeAll = () => {
    for (const onTaken of taken.splice(0)) onTaken();
  };
  return { end, first, bytes: () => bytes, takeAll };
}

/** The status that a request to the port is answered with. */
async function statusOf(url: string, token: string, fence: number, method = 'POST'): Promise<number> {
  const sent = request(url, { method, headers: { authorization: `Bearer ${token}`, 'speech-fence': fence } });
  sent.on('error', () => undefined).flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.destroy();
  return response.statusCode ?? 0;
}

describe('a speech', () => {
  it('comes as it was sent, byte for byte, for many callers at once, and ends after its worker has settled it', async () => {
    const speeches = Array.from({ length: 40 }, async (_, index) => {
      const caller = port.expect();
      const heard = hearAll(caller);
      const speech = await bring(caller);
      const parts = Array.from({ length: 20 }, (_part, number) => randomBytes((number * 7919 * (index + 1)) % 40_000));
      for (const part of parts) await speech.send(part);
      await speech.finish();
      speech.end('settled');
      expect(await heard.end).toEqual({ kind: 'settled', fence: 1 });
      expect(heard.bytes().equals(Buffer.concat(parts))).toBe(true);
    });
    await Promise.all(speeches);
  });

  it('may be brought before anybody hears it', async () => {
    const caller = port.expect();
    const speech = await bring(caller);
    await speech.send(Buffer.from('early'));
    const heard = hearAll(caller);
    await speech.finish();
    speech.end('settled');
    await heard.end;
    expect(String(heard.bytes())).toBe('early');
  });

  it('is finished once the caller’s socket has taken the last byte, and not before', async () => {
    const caller = port.expect();
    const heard = hearByHand(caller);
    const speech = await bring(caller);
    await speech.send(Buffer.from('the end'));
    let isFinished = false;
    const finished = speech.finish().then(() => {
      isFinished = true;
    });
    await heard.first;
    expect(isFinished).toBe(false);
    heard.takeAll();
    await finished;
    speech.end('settled');
    expect((await heard.end).kind).toBe('settled');
  });

  it('waits for a caller who takes nothing, and others pass by', async () => {
    const caller = port.expect();
    const heard = hearByHand(caller);
    const speech = await bring(caller);
    let sentBytes = 0;
    const sending = (async () => {
      for (; ; sentBytes += 64 * KIB) await speech.send(Buffer.alloc(64 * KIB));
    })();
    await heard.first;
    const other = port.expect();
    const passing = hearAll(other);
    const whole = await bring(other);
    await whole.send(randomBytes(KIB * KIB));
    await whole.finish();
    whole.end('settled');
    await passing.end;
    expect(sentBytes).toBeLessThan(256 * KIB);
    caller.leave();
    await expect(sending).rejects.toMatchObject({ end: 'caller_left' });
    speech.end('settled');
    expect((await heard.end).kind).toBe('settled');
  });

  it.each(['failed', 'settled'] as const)('without a byte may be %s', async (how) => {
    const caller = port.expect();
    const heard = hearAll(caller);
    (await bring(caller)).end(how);
    expect(await heard.end).toEqual({ kind: how, fence: 1 });
  });
});

describe('a worker', () => {
  it('whose task goes on makes way for the next claim', async () => {
    const caller = port.expect();
    const heard = hearAll(caller);
    (await bring(caller)).end('goes_on');
    const next = await bring(caller, { fence: 2 });
    await next.send(Buffer.from('audio'));
    await next.finish();
    next.end('settled');
    expect(await heard.end).toEqual({ kind: 'settled', fence: 2 });
  });

  it('of a later claim takes the place of one that has sent nothing', async () => {
    const caller = port.expect();
    const heard = hearAll(caller);
    const frozen = await bring(caller);
    const next = await bring(caller, { fence: 2 });
    await once(frozen.signal, 'abort');
    expect(frozen.ended).toBe('api_gone');
    next.end('settled');
    expect(await heard.end).toEqual({ kind: 'settled', fence: 2 });
  });

  it.each(['before the first byte', 'in the middle'])(
    'that is gone %s is lost, whatever the caller leaves unread',
    async (when) => {
      const caller = port.expect();
      const heard = hearByHand(caller);
      const speech = await bring(caller);
      if (when === 'in the middle') {
        await speech.send(Buffer.from('half'));
        await heard.first;
      }
      speech.breakOff();
      expect(await heard.end).toEqual({ kind: 'worker_lost', fence: 1 });
    },
  );

  it('learns that the caller has left, and its end is heard all the same', async () => {
    const caller = port.expect();
    const heard = hearAll(caller);
    const speech = await bring(caller);
    caller.leave();
    await once(speech.signal, 'abort');
    expect(speech.ended).toBe('caller_left');
    speech.end('settled');
    expect(await heard.end).toEqual({ kind: 'settled', fence: 1 });
  });

  it('learns that the process of the caller is gone', async () => {
    const speech = await bring(port.expect());
    port.close();
    await once(speech.signal, 'abort');
    expect(speech.ended).toBe('api_gone');
    await expect(speech.finish()).rejects.toMatchObject({ end: 'api_gone' });
  });

  it('whose lease ends waits no longer', async () => {
    const lease = new AbortController();
    const caller = port.expect();
    const heard = hearByHand(caller);
    const speech = await bring(caller, { signal: lease.signal });
    await speech.send(Buffer.from('audio'));
    await heard.first;
    const finished = speech.finish();
    lease.abort(new Error('the lease was lost'));
    await expect(finished).rejects.toThrow('the lease was lost');
    speech.breakOff();
  });

  it('that does not reach the process learns so, and who is wrong', async () => {
    notReached.length = 0;
    const listener = { url: 'http://127.0.0.1:1/callers/gone', token: 'once' };
    expect(await open(port.expect(), { listener })).toBeUndefined();
    expect(notReached).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });
});

describe('another server at the address', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function openAt(answer: RequestListener, opened: Omit<Opened, 'listener'> = {}) {
    notReached.length = 0;
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const listener = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callers/any`, token: 'once' };
    return open(port.expect(), { listener, ...opened });
  }

  const admits: RequestListener = (_request, response) =>
    response.writeHead(200, { 'speech-port': '1' }).flushHeaders();
  const says =
    (line: string): RequestListener =>
    (request, response) => {
      admits(request, response);
      request.once('data', () => response.write(`2\n${line}\n`));
    };

  it.each([200, 301, 404, 500, 503])('that answers with %i is reported', async (status) => {
    expect(await openAt((_request, response) => response.writeHead(status).end())).toBeUndefined();
    expect(notReached).toMatchObject([{ message: `answered ${status}` }]);
  });

  it.each(['', '1', '1e1', '-1', '99999999999999999999', 'gone'])('that says "%s" is not believed', async (line) => {
    const speech = await openAt(says(line));
    await speech?.send(Buffer.from('audio'));
    await expect(speech?.finish()).rejects.toMatchObject({ end: 'api_gone' });
  });

  it('that takes nothing and says nothing is waited for no longer than the limit', async () => {
    const speech = await openAt(admits, { silentMs: 50 });
    await expect(speech?.send(Buffer.alloc(300 * KIB))).rejects.toMatchObject({ end: 'api_gone' });
    expect(speech?.signal.aborted).toBe(true);
    speech?.breakOff();
  });

  it('that never answers is given up with the lease', async () => {
    const lease = new AbortController();
    const answer: RequestListener = () => lease.abort(new Error('the lease was lost'));
    expect(await openAt(answer, { signal: lease.signal })).toBeUndefined();
    expect(notReached).toEqual([]);
  });
});

it.each(['no address', 'https://127.0.0.1:1/callers/any'])('the address "%s" is nobody, and reported', async (url) => {
  notReached.length = 0;
  expect(await open(port.expect(), { listener: { url, token: 'once' } })).toBeUndefined();
  expect(notReached).toHaveLength(1);
});

describe('a caller who leaves', () => {
  it('while no worker brings the speech has abandoned it, and nobody is admitted after', async () => {
    const caller = port.expect();
    const heard = hearAll(caller);
    caller.leave();
    expect(await heard.end).toEqual({ kind: 'abandoned', fence: 0 });
    expect(await open(caller)).toBeUndefined();
  });
});

describe('a speech that is being ended', () => {
  it('admits nobody, and answers nobody before it has ended', async () => {
    notReached.length = 0;
    const caller = port.expect();
    const heard = hearAll(caller);
    caller.admitNobody();
    const order: string[] = [];
    const opened = open(caller).finally(() => order.push('answered'));
    const ended = heard.end.then(() => order.push('ended'));
    await statusOf(caller.listener.url, 'another', 1);
    expect(order).toEqual([]);
    caller.close();
    await ended;
    expect(await opened).toBeUndefined();
    expect(order).toEqual(['ended', 'answered']);
    expect(await statusOf(caller.listener.url, caller.listener.token, 1)).toBe(404);
    expect(notReached).toEqual([]);
  });
});

describe('the port', () => {
  it.each<[string, number, (caller: WaitingCaller) => [url: string, token: string, fence: number, method?: string]]>([
    ['a wrong token', 404, ({ listener }) => [listener.url, 'another', 1]],
    ['the token of another caller', 404, ({ listener }) => [listener.url, port.expect().listener.token, 1]],
    ['another path', 404, ({ listener }) => [`${listener.url}/more`, listener.token, 1]],
    ['another method', 404, ({ listener }) => [listener.url, listener.token, 1, 'PUT']],
    ['no claim', 409, ({ listener }) => [listener.url, listener.token, 0]],
  ])('refuses %s with %i', async (_what, status, of) => {
    expect(await statusOf(...of(port.expect()))).toBe(status);
  });

  it('admits a claim once, and nobody after the first byte', async () => {
    const caller = port.expect();
    const heard = hearByHand(caller);
    const { url, token } = caller.listener;
    const speech = await bring(caller, { fence: 3 });
    expect(await statusOf(url, token, 3)).toBe(409);
    expect(await statusOf(url, token, 2)).toBe(409);
    await speech.send(Buffer.from('audio'));
    await heard.first;
    expect(await statusOf(url, token, 4)).toBe(409);
    speech.breakOff();
    await heard.end;
    expect(await statusOf(url, token, 5)).toBe(404);
  });

  it('takes no word for it that a task goes on whose audio was heard', async () => {
    const caller = port.expect();
    const heard = hearAll(caller);
    const speech = await bring(caller);
    await speech.send(Buffer.from('half'));
    await speech.finish();
    speech.end('goes_on');
    expect(await heard.end).toEqual({ kind: 'worker_lost', fence: 1 });
    expect(await open(caller, { fence: 2 })).toBeUndefined();
  });

  it('repeats what the caller has taken while he takes nothing, so that his worker knows it is alive', async () => {
    const repeats = jest.spyOn(global, 'setInterval');
    const { url, token } = port.expect().listener;
    const headers = { authorization: `Bearer ${token}`, 'speech-fence': 1 };
    const sent = request(url, { method: 'POST', headers });
    sent.on('error', () => undefined).flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const repeat = repeats.mock.calls.find(([, everyMs]) => everyMs === REPEAT_AFTER_MS)?.[0];
    repeats.mockRestore();
    repeat?.();
    const [line] = (await once(response, 'data')) as [Buffer];
    expect(String(line)).toBe('0\n');
    sent.destroy();
  });

  it('closes connections that send no request', async () => {
    const { hostname, port: number } = new URL(port.expect().listener.url);
    const stranger = connect(Number(number), hostname);
    await once(stranger, 'connect');
    stranger.resume();
    await once(stranger, 'close');
  });
});
