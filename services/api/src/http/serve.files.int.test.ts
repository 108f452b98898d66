import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pace } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import { createWorkFolders, StorageHealth } from '@mediagate/media';
import { until } from '@mediagate/testkit';
import express from 'express';
import { Registry } from 'prom-client';
import { ByteShares } from './body/byte-shares';
import { readForm } from './body/multipart-form';
import { createRequestScopes } from './request-scope';
import { createServe } from './serve';

const FILE_BYTES = 2 * 1024 * 1024;
const BOUNDARY = 'b';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
const BODY = Buffer.concat([Buffer.from(HEAD), Buffer.alloc(FILE_BYTES, 'x'), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
const FORM = { maxBytes: 2 * BODY.length, maxFiles: 1, fileMaxBytes: () => FILE_BYTES };
/** One file fits, and a second one only once the first is given back. */
const DISK = { maxBytes: 2.6 * FILE_BYTES, accountMaxOpen: 9, keyMaxOpen: 9, accountBytesPerSecond: 1 };

let root: string;
let server: Server;
let disk: ByteShares;
/** Files in the work folder while the handler had the form. */
let seen: string[][];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediagate-serve-files-'));
  disk = new ByteShares(DISK);
  seen = [];
  const logger = createLogger({ service: 'api', level: 'silent' });
  const scopes = createRequestScopes({ logger, metrics: new Registry() });
  const serve = createServe({
    logger,
    scopes,
    memory: new ByteShares({ ...DISK, maxBytes: 1024 * 1024, accountBytesPerSecond: Number.POSITIVE_INFINITY }),
    callerFiles: { disk, makeFolder: createWorkFolders({ root }), health: new StorageHealth({ places: [] }) },
    refusals: { pace: new Pace({ perSecond: 100, burst: 100 }), waitMaxMs: 1000 },
    addresses: new Pace({ perSecond: 100, burst: 100 }),
    bodyPace: { periodMs: 60_000, fileLinks: undefined },
    authenticateOperator: () => Promise.reject(new Error('no route is an operator’s')),
    authenticator: { authenticate: () => ({ id: 'key_1', accountId: 'acct_1' }) as never, forget: () => undefined },
    rateLimit: async () => undefined,
    recordRequest: () => undefined,
    models: () => {
      throw new Error('no route has a family');
    },
  });
  const handle = serve({
    method: 'post',
    path: '/:what',
    auth: 'key',
    scope: 'own',
    bucket: 'query',
    async handle(call) {
      await readForm(call, FORM);
      seen.push(await readdir(root));
      if (call.request.params['what'] === 'refused') throw new GatewayError('not_found', message('endpoint_unknown'));
      call.response.end();
    },
  });
  server = createServer(express().post('/:what', handle)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true, force: true });
});

function begin(what: string) {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': BODY.length };
  return request({ host: '127.0.0.1', port, path: `/${what}`, method: 'POST', headers, agent: false });
}

async function send(what: string): Promise<number | undefined> {
  const sent = begin(what);
  sent.end(BODY);
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

const nothingIsLeft = () => until(async () => (await readdir(root)).length === 0);

it.each([
  ['an answer', 'answered', 200],
  ['a refusal', 'refused', 404],
])('after %s no file of the request is left, and its share of the disk is whole', async (_end, what, status) => {
  expect(await send(what)).toBe(status);
  await nothingIsLeft();
  await until(async () => (await send(what)) === status);
  expect(seen[0]).toEqual([expect.any(String)]);
  await nothingIsLeft();
});

it('after a caller who leaves within a file nothing of it is left, and its share of the disk is whole', async () => {
  const left = begin('answered');
  left.on('error', () => undefined);
  left.write(BODY.subarray(0, BODY.length / 2));
  await until(async () => (await readdir(root)).length === 1);
  left.destroy();
  await nothingIsLeft();
  await until(async () => (await send('answered')) === 200);
});
