import { once } from 'node:events';
import { createServer, request as forward, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isNativeError } from 'node:util/types';
import { type Bucket, openBucket, until } from '@mediagate/testkit';
import { openMediaStore, openStorage, StorageHealth, type StorageSettings, StorageUnavailableError } from '../src';
import { probedStorage } from '../src/storage/probe-place';

let bucket: Bucket;
let front: Server;
let frontPort: number;
/** Answers in place of the bucket; undefined: the bucket answers. */
let inPlace: RequestListener | undefined;

// The SDK wraps what is no `Error` to it, without its code; and the system's errors are none to modules that Jest has loaded.
const asUsual = Function.prototype[Symbol.hasInstance];
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, error: unknown) {
    return this === Error ? isNativeError(error) : asUsual.call(this as typeof Error, error);
  },
});

beforeAll(async () => {
  bucket = await openBucket();
});
beforeEach(async () => {
  inPlace = undefined;
  frontPort = await listen(0);
});
afterEach(() => close());
afterAll(() => bucket.close());

async function listen(port: number): Promise<number> {
  front = createServer((request, response) => {
    if (inPlace) return inPlace(request, response);
    const { method, url = '/', headers } = request;
    const onward = forward(new URL(url, bucket.storage.endpoint), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(port, '127.0.0.1');
  await once(front, 'listening');
  return (front.address() as AddressInfo).port;
}

async function close(): Promise<void> {
  if (!front.listening) return;
  const closed = once(front, 'close');
  front.close();
  front.closeAllConnections();
  await closed;
}

const settings = (more: Partial<StorageSettings & { driver: 's3' }> = {}): StorageSettings & { driver: 's3' } => ({
  ...bucket.storage,
  endpoint: `http://127.0.0.1:${frontPort}`,
  ...more,
});

async function healthOf(s3: StorageSettings, withinMs?: number): Promise<StorageHealth> {
  const storage = await openStorage(s3, bucket.directory);
  return new StorageHealth({ places: [probedStorage(storage, 0)], ...(withinMs && { withinMs }) });
}

const answer =
  (status: number, code?: string): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(code && `<Error><Code>${code}</Code><Message>no</Message></Error>`);
    });
  };

describe('a bucket that fails', () => {
  it.each([
    ['denies access', 'denied', answer(403, 'AccessDenied')],
    ['is behind a proxy that denies access without a word', 'denied', answer(403)],
    ['cannot serve now', 'busy', answer(503, 'SlowDown')],
    ['is behind a balancer that has nobody to serve', 'busy', answer(503)],
    ['has no space left', 'full', answer(507, 'XMinioStorageFull')],
    ['is in another region', 'wrong_region', answer(301, 'PermanentRedirect')],
    ['finds the clock wrong', 'clock_skew', answer(403, 'RequestTimeTooSkewed')],
    ['hangs up', 'unreachable', (request) => request.socket.destroy()],
  ] as [string, string, RequestListener][])(
    'because it %s is %s, and works as soon as it does',
    async (_it, kind, fails) => {
      const health = await healthOf(settings());
      await health.check();
      expect(health.fault()).toBeUndefined();
      inPlace = fails;
      await health.check();
      expect(health.fault()).toMatchObject({ place: 'storage', kind });
      expect(() => health.require()).toThrow(StorageUnavailableError);
      inPlace = undefined;
      await health.check();
      expect(() => health.require()).not.toThrow();
    },
  );

  it('because it is not there is so, until it is made', async () => {
    const health = await healthOf(settings({ bucket: 'made-later' }));
    await health.check();
    expect(health.fault()).toMatchObject({ kind: 'no_bucket' });
    expect((await fetch(`${bucket.storage.endpoint}/made-later`, { method: 'PUT' })).status).toBe(200);
    await health.check();
    expect(health.fault()).toBeUndefined();
  });

  it('because it does not know the key denies access', async () => {
    const health = await healthOf(settings({ accessKeyId: 'UNKNOWN' }));
    await health.check();
    expect(health.fault()).toMatchObject({ kind: 'denied' });
  });

  it('because it does not answer is slow after the time of a look, and works once it has answered', async () => {
    const health = await healthOf(settings(), 300);
    const waiting: (() => void)[] = [];
    inPlace = (request, response) => {
      waiting.push(() => {
        inPlace = undefined;
        front.emit('request', request, response);
      });
    };
    await health.check();
    expect(health.fault()).toMatchObject({ kind: 'slow' });
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    await until(() => health.fault() === undefined, 'the storage works');
  });

  it('that nobody listens for leaves the process up and not ready, says so in one line without the key, and is looked at again', async () => {
    await close();
    const lines: string[] = [];
    const log = (event: string, fields?: object) => void lines.push(JSON.stringify({ event, ...fields }));
    let isReady = () => Promise.resolve();
    const closers: (() => void)[] = [];
    const reports: (readonly { place: string; kind: string }[])[] = [];
    const owner = {
      logger: { error: log, info: log, warn: log },
      defer: (_name: string, end: () => void) => void closers.push(end),
      addReadinessCheck: (_name: string, check: () => Promise<void>) => {
        isReady = check;
      },
    };
    const database = {
      reportStorage: async (_id: string, faults: (typeof reports)[number]) => void reports.push(faults),
      tally: () => undefined,
    };
    const config = { MEDIAGATE_HOME: bucket.directory, MEDIAGATE_LINK_SECRET: 'x'.repeat(32), STORAGE_MIN_FREE_MB: 1 };
    const options = { storage: settings({ secretAccessKey: 'secret-of-s3' }), config, publicBaseUrl: 'http://gate' };
    const store = await openMediaStore(owner, database as never, options);
    await expect(isReady()).rejects.toThrow('the storage cannot be used: it cannot be reached');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"event":"storage.failing","reason":"storage unreachable"');
    expect(lines[0]).not.toContain('secret-of-s3');

    await listen(frontPort);
    await store.health.check();
    await isReady();
    expect(lines.slice(1)).toEqual([JSON.stringify({ event: 'storage.works', reason: 'storage' })]);
    expect(reports).toEqual([[{ place: 'storage', kind: 'unreachable' }], []]);
    for (const end of closers) end();
  });
});
