import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import type { CallerWatch } from '../use-cases/caller-connection';
import { createShutdown, untilCallerLeaves, watchCaller } from './caller-watch';
import type { Call } from './exchange';
import { RequestScope } from './request-scope';

const TOTAL_MS = 50;
const LONG_MS = 60_000;
const SLOT = { release: () => undefined };

/** Waits until the watch aborts; returns why the caller counts as gone, and whether the connection is destroyed. */
async function afterTime(write: (response: Response) => void, totalMs = TOTAL_MS, shutdown = createShutdown()) {
  let watch: CallerWatch | undefined;
  let response: Response | undefined;
  const server = createServer((_, answer) => {
    response = answer as Response;
    watch = watchCaller({ response, scope: new RequestScope('request'), wording: {} }, totalMs, {
      shutdown,
      takeSlot: () => SLOT,
    });
    write(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // The test never reads from this call.
  const call = get({ host: '127.0.0.1', port, agent: false }, (message: IncomingMessage) =>
    message.on('error', () => {}),
  );
  call.on('error', () => undefined);
  await once(server, 'request');
  const { signal } = watch as CallerWatch;
  if (!signal.aborted) await once(signal, 'abort');
  const seen = { gone: watch?.gone(), destroyed: response?.destroyed };
  watch?.end();
  call.destroy();
  server.closeAllConnections();
  server.close();
  return seen;
}

it('cuts off who has not read an answer when the time is over, as one who left', async () => {
  const seen = await afterTime((response) => void response.write('x'.repeat(8_000_000)));
  expect(seen).toEqual({ gone: 'caller_left', destroyed: true });
});

it('leaves the connection for an error where nothing has gone out when the time is over', async () => {
  expect(await afterTime(() => undefined)).toEqual({ gone: undefined, destroyed: false });
});

it('sees a caller go at once', async () => {
  const seen = await afterTime((response) => setImmediate(() => response.destroy()), LONG_MS);
  expect(seen).toEqual({ gone: 'caller_left', destroyed: true });
});

it('does not take a connection that the process itself cuts for a caller who goes', async () => {
  const shutdown = createShutdown();
  const cut = (response: Response) =>
    setImmediate(() => {
      shutdown.cutsConnections = true;
      response.destroy();
    });
  expect(await afterTime(cut, LONG_MS, shutdown)).toEqual({ gone: 'internal_error', destroyed: true });
});

describe('the request owns what is watched', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function watched() {
    const response = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as Response;
    const scope = new RequestScope('request');
    return {
      response,
      scope,
      watch: watchCaller({ response, scope, wording: {} }, LONG_MS, {
        shutdown: createShutdown(),
        takeSlot: () => SLOT,
      }),
    };
  }

  it('leaves neither timers nor listeners when the work has ended, and does not end it again', () => {
    const { response, watch } = watched();
    watch.end();
    expect([jest.getTimerCount(), response.listenerCount('close'), watch.signal.aborted]).toEqual([0, 0, false]);
  });

  it('ends work that is under way when the request ends, because its timers end with it', () => {
    const { response, scope, watch } = watched();
    watch.linger(LONG_MS);
    response.emit('close');
    expect([jest.getTimerCount(), watch.signal.aborted]).toEqual([2, false]);
    scope.close();
    expect([jest.getTimerCount(), response.listenerCount('close'), watch.signal.aborted]).toEqual([0, 0, true]);
  });
});

function connection(destroyed: boolean): Pick<Call, 'response' | 'scope'> {
  const response = Object.assign(new EventEmitter(), { destroyed }) as Call['response'];
  return { response, scope: new RequestScope('req_1') };
}

it('is aborted when the connection is closed, and at once where it was closed before', () => {
  const open = connection(false);
  const { signal } = untilCallerLeaves(open);
  expect(signal.aborted).toBe(false);
  open.response.emit('close');
  expect(signal.aborted).toBe(true);
  expect(untilCallerLeaves(connection(true)).signal.aborted).toBe(true);
});
