import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { openStorage, type S3Settings, type Storage, type StorageSettings } from '../src';
import { BROKEN_BODIES, describeStorage, playBody } from './storage-conformance';

let directory: string;
let server: S3rver;
let settings: StorageSettings & { driver: 's3' };
let storage: Storage;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'mediagate-s3-'));
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'results' }],
  });
  const { port } = await server.run();
  settings = {
    driver: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'results',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    forcePathStyle: true,
  };
  storage = await openStorage(settings, directory);
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

describeStorage('an S3 bucket', () => storage);

describe('an S3 bucket', () => {
  const put = (other: Storage) => other.put('results/a.png', Buffer.from('x'), { contentType: 'image/png', bytes: 1 });

  it('carries the content type, for whoever serves it directly', async () => {
    await put(storage);
    const answer = await fetch(`${settings.endpoint}/results/results/a.png`, { method: 'HEAD' });
    expect(answer.headers.get('content-type')).toBe('image/png');
  });

  it('that is not there is an error, not a missing object', async () => {
    const other = await openStorage({ ...settings, bucket: 'nowhere' }, directory);
    await expect(put(other)).rejects.toMatchObject({ name: 'NoSuchBucket' });
    await expect(other.open('results/a.png')).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('is closed to an unknown key', async () => {
    const other = await openStorage({ ...settings, accessKeyId: 'UNKNOWN' }, directory);
    await expect(put(other)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });
});

// The server above checks no signature of this version; so Amazon's own signs the same.
describe('a link for one object', () => {
  it.each([true, false])(
    'is signed as Amazon signs it, with the size (the bucket in the path: %p)',
    async (forcePathStyle) => {
      const s3 = { ...settings, endpoint: 'https://s3.example:9000/', forcePathStyle, secretAccessKey: 'a+/= key' };
      const other = await openStorage(s3, directory);
      const link = other.linkForPut?.('incoming/abc', { bytes: 12, lifetimeSeconds: 1800 });
      const url = new URL(link?.url ?? '');
      const host = forcePathStyle ? 's3.example:9000' : 'results.s3.example:9000';
      expect([url.host, url.pathname]).toEqual([host, forcePathStyle ? '/results/incoming/abc' : '/incoming/abc']);
      expect(link?.headers).toEqual({ 'content-length': '12' });
      expect(Object.fromEntries(url.searchParams)).toEqual(await signedByAmazon(url, s3));
    },
  );
});

interface RequestPresigner {
  presign(request: object, options: { expiresIn: number; signingDate: Date }): Promise<{ query: object }>;
}

async function signedByAmazon(url: URL, { region, accessKeyId, secretAccessKey }: S3Settings) {
  const client = new S3Client({ region, credentials: { accessKeyId, secretAccessKey } });
  const signer = await client.config.signer({
    name: 'sigv4',
    signingName: 's3',
    signingRegion: region,
    properties: {},
  });
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(url.searchParams.get('X-Amz-Date') ?? '') ?? [];
  const request = {
    method: 'PUT',
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    query: {},
    headers: { host: url.host, 'content-length': '12', 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
  };
  const { query } = await (signer as unknown as RequestPresigner).presign(request, {
    expiresIn: 1800,
    signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
  });
  return query;
}

// The server above writes an object while its bytes arrive and keeps the beginning of one that breaks off, which S3 does
// not. So the driver's part of the promise is proved at the wire: the request ends before it is whole.
describe('an upload whose body fails', () => {
  it.each(BROKEN_BODIES)('because it %s is called off before it is whole', async (_case, parts, bytes, message) => {
    const requests: Promise<IncomingMessage>[] = [];
    const endpoint = await serve((request) => {
      requests.push(once(request.resume(), 'close').then(() => request));
    });
    const other = await openStorage({ ...settings, endpoint }, directory);
    const stored = other.put('results/a.png', playBody(parts), { contentType: 'image/png', bytes });
    await expect(stored).rejects.toThrow(message);
    // A body that fails at once may be called off before anything was sent.
    for (const request of await Promise.all(requests)) {
      expect({ complete: request.complete, length: request.headers['content-length'] }).toEqual({
        complete: false,
        length: String(bytes),
      });
    }
  });
});

describe('a download that breaks off', () => {
  it('fails instead of ending early', async () => {
    const endpoint = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '8' }).write('half', () => response.destroy());
    });
    const other = await openStorage({ ...settings, endpoint }, directory);
    await expect(other.open('results/a.png').then(buffer)).rejects.toThrow('aborted');
  });
});

describe('a bucket of more keys than one answer lists', () => {
  it('is listed from the last key on, and no further than asked for', async () => {
    const answers = [
      ['results/a', 'results/b'],
      ['results/c', 'results/z'],
    ];
    const asked: (string | null)[] = [];
    const endpoint = await serve(({ url = '' }, response) => {
      asked.push(new URL(url, 'http://s3').searchParams.get('start-after'));
      const keys = answers[asked.length - 1]?.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
      response.end(`<ListBucketResult><IsTruncated>true</IsTruncated>${keys}</ListBucketResult>`);
    });
    const other = await openStorage({ ...settings, endpoint }, directory);
    const list = { prefix: 'results/', before: 'results/x' };
    const first = await other.list(list);
    expect(first).toEqual({ keys: ['results/a', 'results/b'], next: 'results/b' });
    expect(await other.list({ ...list, place: first.next })).toEqual({ keys: ['results/c'], next: undefined });
    expect(asked).toEqual([null, 'results/b']);
  });
});

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      return closed;
    }),
  );
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
