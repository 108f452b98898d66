import { once } from 'node:events';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { type Bucket, openBucket } from '@mediagate/testkit';
import { ObjectMissingError, openStorage, type Storage, type StorageSettings } from '../src';
import { BROKEN_BODIES, describeStorage, playBody } from './storage-conformance';

let directory: string;
let bucket: Bucket;
let settings: StorageSettings & { driver: 's3' };
let storage: Storage;

beforeAll(async () => {
  bucket = await openBucket();
  ({ storage: settings, directory } = bucket);
  storage = await openStorage(settings, directory);
});

afterAll(() => bucket.close());

describeStorage('an S3 bucket', () => storage);

describe('an S3 bucket in front of the folder that was used before', () => {
  const KEY = 'results/before.png';
  const bytes = Buffer.from('kept in the folder');
  const facts = { contentType: 'image/png', bytes: bytes.length };
  const openBoth = () => openStorage({ ...settings, readFolder: true, redirectDownloads: true }, directory);

  it('reads what the folder has, writes to the bucket alone, and removes from both', async () => {
    const [folder, both] = [await openStorage({ driver: 'filesystem' }, directory), await openBoth()];
    await folder.put(KEY, bytes, facts);
    await expect(storage.open(KEY)).rejects.toThrow(ObjectMissingError);
    expect(await buffer(await both.open(KEY, { start: 8 }))).toEqual(bytes.subarray(8));
    await both.put('results/after.png', bytes, facts);
    await expect(folder.open('results/after.png')).rejects.toThrow(ObjectMissingError);
    await both.remove(KEY);
    await expect(folder.open(KEY)).rejects.toThrow(ObjectMissingError);
  });

  it('leads no caller to the bucket, which may not have the file', async () => {
    expect((await openBoth()).linkForGet).toBeUndefined();
  });
});

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
      const link = await other.linkForPut?.('incoming/abc', { bytes: 12, lifetimeSeconds: 1800 });
      const url = new URL(link?.url ?? '');
      const host = forcePathStyle ? 's3.example:9000' : 'results.s3.example:9000';
      expect([url.host, url.pathname]).toEqual([host, forcePathStyle ? '/results/incoming/abc' : '/incoming/abc']);
      expect(link?.headers).toEqual({ 'content-length': '12' });
      expect(Object.fromEntries(url.searchParams)).toEqual(await signedByAmazon(url, s3));
    },
  );

  it('opens for who reads it for five minutes, where the operator has callers led to the bucket', async () => {
    expect((await openStorage(settings, directory)).linkForGet).toBeUndefined();
    const other = await openStorage({ ...settings, redirectDownloads: true }, directory);
    const url = new URL((await other.linkForGet?.('results/abc.mp4')) ?? '');
    const request = { method: 'GET', headers: {}, expiresIn: 300 };
    expect(Object.fromEntries(url.searchParams)).toEqual(await signedByAmazon(url, settings, request));
  });
});

// Where clouds give a process an identity: the SDK's own chain, asked for real.
describe('without keys in the file', () => {
  const TOKEN = 'a token that lapses';
  const GIVEN = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: TOKEN };
  const variables = new Map<string, string | undefined>();
  let cloud: Server;
  let address: string;
  let asked: { url: string; authorization: string | undefined; body: string }[];
  let expiration: Date;

  beforeEach(async () => {
    asked = [];
    expiration = new Date(Date.now() + 20 * 60_000);
    cloud = createServer(giveIdentity).listen(0, '127.0.0.1');
    await once(cloud, 'listening');
    address = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`;
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) set(name, undefined);
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) set(name, path.join(directory, 'absent'));
  });
  afterEach(() => {
    for (const [name, value] of variables) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    variables.clear();
    cloud.close();
  });

  function set(name: string, value: string | undefined): void {
    if (!variables.has(name)) variables.set(name, process.env[name]);
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }

  /** The container's endpoint by GET, the token service by POST. */
  async function giveIdentity(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    asked.push({ url, authorization: headers.authorization, body: (await buffer(request)).toString() });
    const { accessKeyId, secretAccessKey, sessionToken } = GIVEN;
    const ends = expiration.toISOString();
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      const given = {
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        Token: sessionToken,
        Expiration: ends,
      };
      response.end(JSON.stringify(given));
      return;
    }
    response.setHeader('content-type', 'text/xml');
    const keys = `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>`;
    const credentials = `${keys}<SessionToken>${sessionToken}</SessionToken><Expiration>${ends}</Expiration>`;
    response.end(`<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>
      </AssumeRoleWithWebIdentityResponse>`);
  }

  const keyless = () => openStorage({ ...settings, accessKeyId: undefined, secretAccessKey: undefined }, directory);

  async function tokenFile(): Promise<string> {
    const file = path.join(directory, 'identity-token');
    await writeFile(file, 'who this pod is');
    return file;
  }

  it('the identity of a container counts, asked once, and a link says when it lapses', async () => {
    set('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${address}/v1/credentials`);
    set('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', await tokenFile());
    const other = await keyless();
    await other.put('results/keyless.png', Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
    expect((await buffer(await other.open('results/keyless.png'))).toString()).toBe('x');
    const link = await other.linkForPut?.('incoming/abc', { bytes: 12, lifetimeSeconds: 1800 });
    expect(link?.endsAt).toEqual(expiration);
    const url = new URL(link?.url ?? '');
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe(TOKEN);
    const signed = await signedByAmazon(url, { ...GIVEN, region: settings.region });
    expect(Object.fromEntries(url.searchParams)).toEqual(signed);
    expect(asked).toEqual([{ url: '/v1/credentials', authorization: 'who this pod is', body: '' }]);
  });

  it('the identity of a service account counts, exchanged for a role', async () => {
    set('AWS_CONTAINER_CREDENTIALS_FULL_URI', undefined);
    set('AWS_WEB_IDENTITY_TOKEN_FILE', await tokenFile());
    set('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/media');
    set('AWS_ENDPOINT_URL_STS', address);
    set('AWS_REGION', settings.region);
    const other = await keyless();
    await other.put('results/role.png', Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
    const form = new URLSearchParams(asked[0]?.body);
    expect([form.get('Action'), form.get('RoleArn'), form.get('WebIdentityToken')]).toEqual([
      'AssumeRoleWithWebIdentity',
      'arn:aws:iam::123456789012:role/media',
      'who this pod is',
    ]);
  });
});

interface RequestPresigner {
  presign(request: object, options: { expiresIn: number; signingDate: Date }): Promise<{ query: object }>;
}

interface SigningKeys {
  region: string;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
  sessionToken?: string;
}

const PUT = { method: 'PUT', headers: { 'content-length': '12' }, expiresIn: 1800 };

async function signedByAmazon(
  url: URL,
  { region, accessKeyId = '', secretAccessKey = '', sessionToken }: SigningKeys,
  { method, headers, expiresIn } = PUT as { method: string; headers: object; expiresIn: number },
) {
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  const client = new S3Client({ region, credentials });
  const signer = await client.config.signer({
    name: 'sigv4',
    signingName: 's3',
    signingRegion: region,
    properties: {},
  });
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(url.searchParams.get('X-Amz-Date') ?? '') ?? [];
  const request = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    query: {},
    headers: { host: url.host, ...headers, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
  };
  const { query } = await (signer as unknown as RequestPresigner).presign(request, {
    expiresIn,
    signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
  });
  return query;
}

describe('an upload of a file that fails', () => {
  it('leaves no file open', async () => {
    const file = path.join(directory, 'output');
    const bytes = 4 * 1024 * 1024;
    await writeFile(file, Buffer.alloc(bytes));
    // Nobody listens there.
    const other = await openStorage({ ...settings, endpoint: 'http://127.0.0.1:1' }, directory);
    const body = { path: file, totalBytes: bytes };
    const stored = other.put('results/a.png', body, { contentType: 'image/png', bytes });
    await expect(stored).rejects.toThrow('ECONNREFUSED');
    // It closes within some turns of the event loop.
    for (let turn = 0; turn < 1000 && (await openFiles()).includes(file); turn += 1);
    expect(await openFiles()).not.toContain(file);
  });
});

/** The files that this process has open. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  return Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
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
