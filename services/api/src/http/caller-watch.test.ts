import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import type { CallerWatch } from '../use-cases/caller-connection';
import { watchCaller } from './caller-watch';
import { createShutdown } from './shutdown';

const TOTAL_MS = 50;
const LONG_MS = 60_000;

/** What is watched when the time is over, and whether the connection still stands. */
async function afterTime(write: (response: Response) => void, totalMs = TOTAL_MS, shutdown = createShutdown()) {
  let watch: CallerWatch | undefined;
  let response: Response | undefined;
  const server = createServer((_, answer) => {
    response = answer as Response;
    watch = watchCaller(response, totalMs, shutdown);
    write(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Never read from.
  const call = get({ host: '127.0.0.1', port, agent: false }, (message: IncomingMessage) =>
    message.on('error', () => {}),
  );
  call.on('error', () => undefined);
  await once(server, 'request');
  const { signal } = watch as CallerWatch;
  if (!signal.aborted) await once(signal, 'abort');
  const seen = { gone: watch?.gone(), destroyed: response?.destroyed };
  watch?.stop();
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
