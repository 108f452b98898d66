import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { openFile } from '../media-bytes';
import { exactLength } from './exact-length';
import { type SignLinkOptions, signLink } from './sign-link';
import {
  assertKey,
  type ByteRange,
  type KeyList,
  type ListOptions,
  type ObjectBody,
  type ObjectFacts,
  ObjectMissingError,
  type PutLinkOptions,
  type Storage,
} from './storage';

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  /** Absent, with its secret: the process's own identity, as the environment, the container or the machine gives it. */
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`: what most servers but Amazon's want. */
  forcePathStyle: boolean;
  /** Callers read files from the bucket itself, by short links. */
  redirectDownloads?: boolean;
  /** The folder of the filesystem driver is read for files that the bucket does not have. */
  readFolder?: boolean;
}

const CONNECT_TIMEOUT_MS = 3_000;
/** The time that may pass without a byte in either direction. */
const IDLE_TIMEOUT_MS = 30_000;
const MAX_TRIES = 3;

/** Objects in a bucket of any server that speaks S3. The bucket exists and is private: links are the gateway's own. */
export function createS3Storage(settings: S3Settings): Storage {
  const client = openClient(settings);
  const { bucket: Bucket } = settings;

  async function put(key: string, body: ObjectBody, { contentType, bytes }: ObjectFacts): Promise<void> {
    assertKey(key);
    const facts = { Bucket, Key: key, ContentType: contentType, ContentLength: bytes };
    if (Buffer.isBuffer(body)) {
      if (body.length !== bytes) throw new Error(`the body has ${body.length} of the ${bytes} bytes announced`);
      await client.send(new PutObjectCommand({ ...facts, Body: body }));
      return;
    }
    const stream = body instanceof Readable ? body : openFile(body);
    // A request that failed leaves it open, and what its file takes on the disk.
    await putStream(client, { ...facts, Body: exactLength(stream, bytes) }).finally(() => stream.destroy());
  }

  async function open(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: key, ...Range })).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissingError(key) : error;
    });
    if (!(answer.Body instanceof Readable)) throw new Error('the storage answered without a body');
    return answer.Body;
  }

  async function remove(key: string): Promise<void> {
    assertKey(key);
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
  }

  const list = (options: ListOptions) => listKeys(client, Bucket, options);
  return { put, open, remove, list, ...linksTo(client, settings) };
}

/** A download that has begun by then goes on. */
const GET_LINK_SECONDS = 300;

function linksTo(client: S3Client, settings: S3Settings): Pick<Storage, 'linkForPut' | 'linkForGet'> {
  const sign = async (key: string, link: LinkToSign) => {
    const credentials = await client.config.credentials();
    return { url: signedLink(key, link, { settings, credentials }), endsAt: credentials.expiration };
  };
  const linkForPut = async (key: string, { bytes, lifetimeSeconds }: PutLinkOptions) => {
    const headers = { 'content-length': String(bytes) };
    const { url, endsAt } = await sign(key, { method: 'PUT', headers, lifetimeSeconds });
    return { url, headers, ...(endsAt && { endsAt }) };
  };
  const linkForGet = async (key: string) =>
    (await sign(key, { method: 'GET', headers: {}, lifetimeSeconds: GET_LINK_SECONDS })).url;
  return { linkForPut, ...(settings.redirectDownloads && { linkForGet }) };
}

async function putStream(client: S3Client, object: PutObjectCommandInput & { Body: Readable }): Promise<void> {
  const { Body: stream } = object;
  const broken = new AbortController();
  // The SDK waits for the rest of a stream that broke; so the request is aborted with the cause.
  stream.once('error', (error) => broken.abort(error));
  await client.send(new PutObjectCommand(object), { abortSignal: broken.signal }).catch((error) => {
    throw stream.errored ?? error;
  });
}

/** A bucket lists its keys in their order; so the place is a key. */
async function listKeys(client: S3Client, Bucket: string, { prefix, before, place }: ListOptions): Promise<KeyList> {
  const answer = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, StartAfter: place }));
  const keys = (answer.Contents ?? []).flatMap(({ Key }) => Key ?? []);
  const last = keys.at(-1);
  const hasMore = answer.IsTruncated === true && last !== undefined && last < before;
  return { keys: keys.filter((key) => key < before), next: hasMore ? last : undefined };
}

type LinkToSign = Pick<SignLinkOptions, 'method' | 'headers' | 'lifetimeSeconds'>;

interface Signer {
  settings: S3Settings;
  credentials: Awaited<ReturnType<S3Client['config']['credentials']>>;
}

function signedLink(key: string, link: LinkToSign, { settings, credentials }: Signer): string {
  assertKey(key);
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const keys = { region: settings.region, accessKeyId, secretAccessKey, sessionToken };
  return signLink({ ...link, ...keys, url: addressOf(key, settings), now: new Date() });
}

/** Keys need no escapes in an address. */
function addressOf(key: string, { endpoint, bucket, forcePathStyle }: S3Settings): URL {
  const url = new URL(endpoint);
  const folder = url.pathname.replace(/\/+$/, '');
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = forcePathStyle ? `${folder}/${bucket}/${key}` : `${folder}/${key}`;
  return url;
}

/** Each file that a caller reads holds a socket for as long as the caller takes; the SDK's own limit is 50. */
const MAX_SOCKETS = 1000;

function openClient(settings: S3Settings): S3Client {
  return new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    ...staticCredentials(settings),
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: MAX_TRIES,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    // The SDK's newer default checksums travel as trailers, which many compatible servers store as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Without keys in the file the SDK looks where clouds put them, and asks anew before they lapse. */
function staticCredentials({ accessKeyId, secretAccessKey }: S3Settings) {
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { credentials: { accessKeyId, secretAccessKey } };
}

/** Whatever goes wrong is thrown; the SDK would also write some of it to the console. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}
