import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from '../vendor-call/contract';
import { fault } from './words';

/** Secrets by the id of their key. The second key replaces the first one. */
const SECRETS: Readonly<Record<string, string>> = {
  'sim-studio-id': 'sim-studio-secret',
  'sim-studio-next-id': 'sim-studio-next-secret',
};
const REGION = 'eu-central-1';
const SERVICE = 'execute-api';
/** In either direction. */
const CLOCKS_APART_MS = 5 * 60_000;

/** Checks the signature of a request that has one; false: it has none. The body is held against it once it was read. */
export function checkSignature(request: Request): boolean {
  const authorization = request.get('authorization') ?? '';
  if (authorization.startsWith('AWS4-HMAC-SHA256 ')) checkAws4(request, authorization);
  else if (request.get('x-signature') !== undefined) checkHmac(request);
  else return false;
  if (request.method !== 'POST') checkSignedBody(request, Buffer.alloc(0));
  return true;
}

/** Refuses a body that is another one than the signature is of. */
export function checkSignedBody(request: Request, body: Buffer): void {
  const claimed = request.get('x-amz-content-sha256') ?? request.get('x-content-sha256');
  if (claimed !== undefined && claimed !== sha256(body)) throw unsigned('The body is not the one that was signed.');
}

/** `method`, path and query, seconds and the hash of the body, a line each. */
function checkHmac(request: Request): void {
  const timestamp = request.get('x-timestamp') ?? '';
  const text = [request.method, request.originalUrl, timestamp, request.get('x-content-sha256') ?? ''].join('\n');
  checkTime(Number(timestamp || Number.NaN) * 1000);
  compare(hmac(secretOf(request.get('x-key')), text).toString('hex'), request.get('x-signature'));
}

const AWS4 =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;

/** As AWS documents its Signature Version 4 for services other than S3. */
function checkAws4(request: Request, authorization: string): void {
  const [, id, day = '', region, service, names = '', signature] = AWS4.exec(authorization) ?? [];
  const time = request.get('x-amz-date') ?? '';
  if (region !== REGION || service !== SERVICE || !time.startsWith(day)) throw unsigned('The scope is another one.');
  checkTime(Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')));
  const signed = names.split(';');
  const needed = Object.keys(request.headers).filter((name) => /^(?:host|content-type|x-amz-.*)$/.test(name));
  const missing = needed.find((name) => !signed.includes(name));
  if (missing !== undefined) throw unsigned(`${missing} is not signed.`);
  const [path = '', query = ''] = request.originalUrl.split('?');
  const canonical = [
    request.method,
    path.split('/').map(escaped).join('/'),
    canonicalQuery(query),
    ...signed.map((name) => `${name}:${(request.get(name) ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    request.get('x-amz-content-sha256') ?? sha256(''),
  ].join('\n');
  const scope = [day, REGION, SERVICE, 'aws4_request'];
  const key = scope.reduce<string | Buffer>((former, part) => hmac(former, part), `AWS4${secretOf(id)}`);
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n');
  compare(hmac(key, text).toString('hex'), signature);
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map((part) => escaped(decodeURIComponent(part))))
    .map(([name, value = '']) => `${name}=${value}`)
    .sort()
    .join('&');
}

/** All but the characters that RFC 3986 calls unreserved. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function checkTime(atMs: number): void {
  if (!(Math.abs(Date.now() - atMs) <= CLOCKS_APART_MS)) throw unsigned('The time is too far from ours.');
}

function secretOf(id = ''): string {
  const secret = Object.hasOwn(SECRETS, id) ? SECRETS[id] : undefined;
  if (secret === undefined) throw unsigned('The key is not known.');
  return secret;
}

function compare(expected: string, given = ''): void {
  const isSame = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
  if (!isSame) throw unsigned('The signature is another one.');
}

function unsigned(message: string): Refusal {
  return new Refusal(fault(401, 'bad_signature', message));
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
