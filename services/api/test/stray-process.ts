import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pace } from '@mediagate/concurrency';
import { run, type Scope } from '@mediagate/host';
import express from 'express';
import { ByteShares } from '../src/http/body/byte-shares';
import { messageClassesFor } from '../src/http/new-express';
import { createRequestScopes, guardMessages } from '../src/http/request-scope';
import type { OpenRoute } from '../src/http/route';
import { createServe } from '../src/http/serve';

/** The process's message once it serves. */
export interface Serving {
  port: number;
  mistakes: string[];
}

const MOMENT_MS = 5;

function fail(where: string): never {
  throw new Error(`thrown by ${where}`);
}

/** Mistakes that a handler could make: each answers, and leaves behind what throws. */
const MISTAKES: Record<string, OpenRoute['handle']> = {
  timer: () => void setTimeout(() => fail('a timer'), MOMENT_MS),
  'timer-after-the-answer'({ response }) {
    response.end('answered');
    setTimeout(() => response.setHeader('Connection', 'close'), MOMENT_MS);
  },
  immediate: () => void setImmediate(() => fail('an immediate')),
  tick: () => process.nextTick(() => fail('a tick')),
  'forgotten-promise'({ response }) {
    void Promise.resolve().then(() => fail('a promise'));
    response.end('answered');
  },
  'data-listener': ({ request }) => void request.on('data', () => fail('a listener of the request')),
  'timer-of-a-listener': ({ request }) =>
    void request.on('data', () => setTimeout(() => fail('a timer of a listener'), MOMENT_MS)),
  'close-listener'({ response }) {
    response.on('close', () => fail('a listener of the answer')).end('answered');
  },
  'write-after-end'({ response }) {
    response.end('answered');
    response.write('more');
  },
  'error-event': ({ request }) => void request.emit('error', new Error('an error that nobody listens to')),
};

void run({ name: 'api', main: serveMistakes });

/** A server of the mistakes, `POST /<mistake>`, and of `GET /well`. */
async function serveMistakes(scope: Scope): Promise<void> {
  const { logger, metrics } = scope;
  const scopes = createRequestScopes({ logger, metrics });
  scope.onStrayError(scopes.claim);
  const serve = createServe({
    logger,
    scopes,
    memory: new ByteShares({
      maxBytes: 1024,
      accountMaxOpen: 1,
      keyMaxOpen: 1,
      accountBytesPerSecond: 1024 * 1024,
    }),
    callerFiles: {
      disk: new ByteShares({ maxBytes: 0, accountMaxOpen: 1, keyMaxOpen: 1, accountBytesPerSecond: 1024 }),
      makeFolder: () => Promise.reject(new Error('no route takes a file')),
      health: { require: () => undefined, use: (_place, work) => work() },
    },
    refusals: { pace: new Pace({ perSecond: 100, burst: 100 }), waitMaxMs: 1000 },
    addresses: new Pace({ perSecond: 100, burst: 100 }),
    bodyPace: { periodMs: 60_000 },
    authenticateOperator: () => Promise.reject(new Error('no route is an operator’s')),
    authenticator: { authenticate: () => fail('nobody'), forget: () => undefined },
    rateLimit: async () => undefined,
    recordRequest: () => undefined,
    models: () => fail('no route has a family'),
  });
  const app = express();
  guardMessages(app.request, scopes);
  guardMessages(app.response, scopes);
  for (const [name, handle] of Object.entries(MISTAKES)) {
    app.post(`/${name}`, serve({ method: 'post', path: `/${name}`, auth: 'none', handle }));
  }
  app.get('/well', (_request, response) => void response.end('well'));
  // This error belongs to no request.
  app.post('/bug', (_request, response) => {
    response.end();
    setTimeout(() => fail('nobody in particular'), MOMENT_MS);
  });
  const server = createServer(messageClassesFor(app), app);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port, mistakes: Object.keys(MISTAKES) } satisfies Serving);
  });
  process.on('message', async () => process.send?.({ metrics: await metrics.metrics() }));
}
