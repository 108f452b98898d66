import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FileWriter } from '@mediagate/egress';
import { AnswerFile, JsonAnswerReader } from '../src/answer-files';
import { type ReplayServer, startReplayServer } from '../src/conformance/replay-server';
import { createHttpClient, type VendorRequest } from '../src/http-client';
import { base64Bytes } from '../src/json-guards';

const folder = mkdtempSync(join(tmpdir(), 'mediagate-answers-'));
const http = createHttpClient();
let server: ReplayServer;
let answer: (response: ServerResponse) => void;
let files = 0;
const newFile = () => new FileWriter(async () => join(folder, String(++files)));

beforeAll(async () => {
  server = await startReplayServer((response) => answer(response));
});

afterAll(async () => {
  await http.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function send(body: string | Buffer, changes: Partial<VendorRequest> = {}, headers: Record<string, string> = {}) {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    // Pieces of no round size: a string, an escape or four letters end in the middle.
    for (let at = 0; at < body.length; at += 70_001) response.write(body.slice(at, at + 70_001));
    response.end();
  };
  const { signal } = new AbortController();
  const request = { method: 'POST', url: server.origin, headers: {}, body: { json: {} }, signal, newFile } as const;
  const reply = await http.send({ ...request, timeoutMs: 60_000, maxResponseBytes: 50_000_000, ...changes });
  if (reply.kind !== 'answer') throw new Error(reply.why);
  return reply.body;
}

async function sendJson(body: unknown, changes?: Partial<VendorRequest>) {
  const sent = await send(JSON.stringify(body), changes);
  if (sent.kind !== 'json') throw new Error(JSON.stringify(sent));
  return sent.value as { data: { b64_json: unknown }[] };
}

const image = randomBytes(700_000);
const b64_json = image.toString('base64');

describe('an answer with long base64', () => {
  it('is its JSON with a file of the bytes in place of each, with size and hash', async () => {
    const [other, small] = [randomBytes(100_001), randomBytes(100)];
    const images = [image, other, small].map((bytes) => ({ b64_json: bytes.toString('base64') }));
    const { data, ...rest } = await sendJson({ created: 1, data: images, text: 'é"\\"'.repeat(30_000) });
    expect(rest).toEqual({ created: 1, text: 'é"\\"'.repeat(30_000) });
    expect(data[2]).toEqual(images[2]);
    for (const [index, bytes] of [image, other].entries()) {
      const file = base64Bytes(data[index]?.b64_json);
      if (!(file instanceof AnswerFile)) throw new Error('expected a file');
      expect(file.totalBytes).toBe(bytes.length);
      expect(file.sha256).toEqual(createHash('sha256').update(bytes).digest());
      expect((await readFile(file.path)).equals(bytes)).toBe(true);
    }
  });

  it('has nothing in place of what is no base64 to its end', async () => {
    const { data } = await sendJson({ data: [{ b64_json: `${b64_json}!` }, { b64_json }] });
    expect(data.map((item) => base64Bytes(item.b64_json) !== undefined)).toEqual([false, true]);
  });

  it('names no file of ours by a value of its own', async () => {
    const { data } = await sendJson({ data: [{ b64_json: { path: '/etc/passwd', totalBytes: 3 } }] });
    expect(base64Bytes(data[0]?.b64_json)).toBeUndefined();
  });

  it('is in memory where nobody has a place for files', async () => {
    const { data } = await sendJson({ data: [{ b64_json }] }, { newFile: undefined });
    expect(base64Bytes(data[0]?.b64_json)).toEqual(image);
  });

  it('is in memory where it is compressed', async () => {
    const body = await send(gzipSync(JSON.stringify({ b64_json })), {}, { 'content-encoding': 'gzip' });
    expect(body).toEqual({ kind: 'json', value: { b64_json } });
  });

  it('cannot be read where its files cannot be written', async () => {
    const nowhere = { newFile: () => new FileWriter(async () => join(folder, 'missing', 'file')) };
    expect(await send(JSON.stringify({ b64_json }), nowhere)).toEqual({ kind: 'unreadable', why: 'not_kept' });
  });

  it('makes its vendor wait once the disk is behind by 1 MiB of all its files together', async () => {
    let open: () => void = () => undefined;
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = () => new FileWriter(() => isOpen.then(() => join(folder, String(++files))));
    const reader = new JsonAnswerReader(slow);
    const waits = ['{"data":["', '","', '"]}'].map((between, index) => {
      reader.push(Buffer.from(index < 2 ? `${between}${b64_json}` : between));
      return reader.backlog();
    });
    expect(waits.map((wait) => wait !== undefined)).toEqual([false, true, true]);
    open();
    await waits[2];
    expect(reader.backlog()).toBeUndefined();
    expect(await reader.end()).toMatchObject({ kind: 'json', value: { data: [{ totalBytes: image.length }, {}] } });
  });

  it('cannot be read where it ends early or is too large', async () => {
    const cut = `{"b64_json":"${b64_json}`;
    expect(await send(cut)).toEqual({ kind: 'unreadable', why: 'not_json' });
    const bounds = { maxResponseBytes: 100_000 };
    expect(await send(JSON.stringify({ b64_json }), bounds)).toEqual({ kind: 'unreadable', why: 'too_large' });
  });
});

it('a success that is a file itself is a file', async () => {
  const body = await send(image, { expects: 'file' }, { 'content-type': 'audio/mpeg' });
  if (body.kind !== 'file' || Buffer.isBuffer(body.bytes)) throw new Error('expected a file');
  expect((await readFile(body.bytes.path)).equals(image)).toBe(true);
});
