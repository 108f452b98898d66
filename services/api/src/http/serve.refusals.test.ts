import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pace } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import express from 'express';
import { Registry } from 'prom-client';
import type { Caller } from '../use-cases/caller';
import { ByteShares } from './body/byte-shares';
import { createRequestScopes } from './request-scope';
import { createServe } from './serve';

/** The first three are answered at once, and the next waits for longer than a test lasts. */
const LIMITS = { perSecond: 0.001, burst: 3, waitMaxMs: 3_600_000 };

let server: Server;
let url: string;
/** Accounts whose requests reached the handler, in order. */
let worked: string[];

async function start(limits: typeof LIMITS): Promise<void> {
  const logger = createLogger({ service: 'api', level: 'silent' });
  const serve = createServe({
    logger,
    scopes: createRequestScopes({ logger, metrics: new Registry() }),
    memory: new ByteShares({ maxBytes: 1024, accountMaxOpen: 1, keyMaxOpen: 1, accountBytesPerSecond: 1024 }),
    callerFiles: {
      disk: new ByteShares({ maxBytes: 0, accountMaxOpen: 1, keyMaxOpen: 1, accountBytesPerSecond: 1024 }),
      makeFolder: () => Promise.reject(new Error('no route takes a file')),
      health: { require: () => undefined, use: (_place, work) => work() },
    },
    refusals: { pace: new Pace(limits), waitMaxMs: limits.waitMaxMs },
    addresses: new Pace({ perSecond: 1, burst: 1 }),
    bodyPace: { periodMs: 60_000 },
    authenticateOperator: () => Promise.reject(new Error('no route is an operator’s')),
    authenticator: { authenticate: async ({ headers }) => callerOf(headers.authorization), forget: () => undefined },
    rateLimit: async () => undefined,
    recordRequest: () => undefined,
    models: () => {
      throw new Error('no route has a family');
    },
  });
  const app = express();
  const handle = serve({
    method: 'get',
    path: '/:what',
    auth: 'key',
    scope: 'own',
    bucket: 'query',
    handle({ request, response, caller, outcome }) {
      worked.push(caller.accountId);
      if (request.params['what'] === 'priced') outcome.isUnpaid = true;
      if (request.params['what'] === 'refused') throw new GatewayError('not_found', message('endpoint_unknown'));
      response.end();
    },
  });
  app.get('/:what', handle);
  worked = [];
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function callerOf(account: string | undefined): Caller {
  if (account === undefined) throw new GatewayError('authentication', message('key_missing'));
  return { id: account, accountId: account, families: [] } as unknown as Caller;
}

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = (what: string, account?: string, signal?: AbortSignal) =>
  fetch(`${url}/${what}`, {
    ...(account === undefined ? {} : { headers: { authorization: account } }),
    ...(signal === undefined ? {} : { signal }),
  });

async function refuseAtOnce(account?: string): Promise<void> {
  const status = account === undefined ? 401 : 404;
  for (let index = 0; index < 3; index += 1) expect((await ask('refused', account)).status).toBe(status);
}

describe('beyond its share of refusals', () => {
  it('an account waits, nothing is done for it, and another account is served', async () => {
    await start(LIMITS);
    await refuseAtOnce('a');
    const left = new AbortController();
    const waiting = ask('refused', 'a', left.signal);
    const cut = expect(waiting).rejects.toThrow();
    expect((await ask('served', 'b')).status).toBe(200);
    expect(worked).toEqual(['a', 'a', 'a', 'b']);
    left.abort();
    await cut;
    expect((await ask('served', 'b')).status).toBe(200);
    expect(worked).toEqual(['a', 'a', 'a', 'b', 'b']);
  });

  it('prices that are asked for count as refusals: nobody pays for them', async () => {
    await start({ ...LIMITS, waitMaxMs: 0 });
    for (let index = 0; index < 3; index += 1) expect((await ask('priced', 'a')).status).toBe(200);
    expect((await ask('priced', 'a')).status).toBe(429);
    expect((await ask('served', 'b')).status).toBe(200);
  });

  it('those who show no key wait, and nobody else', async () => {
    await start(LIMITS);
    await refuseAtOnce();
    const left = new AbortController();
    const cut = expect(ask('refused', undefined, left.signal)).rejects.toThrow();
    expect((await ask('served', 'a')).status).toBe(200);
    left.abort();
    await cut;
  });

  it('those who show no key are refused as too many, and their connection closed, when they would wait for too long', async () => {
    await start({ ...LIMITS, waitMaxMs: 0 });
    await refuseAtOnce();
    const answer = await ask('refused');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({
      error: {
        reason: 'rate_limited',
        message: 'Too many requests without a valid API key were refused. Please try again in a moment.',
      },
    });
    expect((await ask('served', 'a')).status).toBe(200);
  });

  it('an account is refused at once, and its connection closed, when it would wait for too long', async () => {
    await start({ ...LIMITS, waitMaxMs: 0 });
    await refuseAtOnce('a');
    const { status, headers } = await ask('served', 'a');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('3');
    expect(headers.get('connection')).toBe('close');
    expect(worked).toEqual(['a', 'a', 'a']);
  });
});
