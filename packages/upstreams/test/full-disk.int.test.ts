import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { FileWriter } from '@mediagate/egress';
import { canOpenSmallDisk, forEachTest, openSmallDisk, until } from '@mediagate/testkit';
import { HELD_LIMIT_MS, holdLimits } from '@mediagate/testkit/clock';
import { AnswerFile } from '../src/answer-files';
import { type ReplayServer, startReplayServer } from '../src/conformance/replay-server';
import { createHttpClient, type Reply } from '../src/http-client';
import { base64Bytes } from '../src/json-guards';

const http = createHttpClient();
/** The disk of 8 MB has room for either answer while nothing else is on it. */
const images = [randomBytes(3_000_000), randomBytes(3_000_000)];
const small = [randomBytes(500_000)];
const limits = holdLimits();

let server: ReplayServer;
let sent: Buffer[];
const disk = forEachTest(openSmallDisk);
beforeEach(async () => {
  sent = images;
  server = await startReplayServer(answer);
});
afterEach(async () => {
  await server.close();
  await disk.close();
});
afterAll(() => http.close());

function answer(response: ServerResponse): void {
  const body = JSON.stringify({ data: sent.map((bytes) => ({ b64_json: bytes.toString('base64') })) });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** Asks while the disk is full. `failed` resolves with the error of the first try of a write. */
function ask() {
  const ending = new AbortController();
  let files = 0;
  let onFailure: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => {
    onFailure = resolve;
  });
  const newFile = () =>
    new FileWriter(async () => join(disk.path, String(++files)), { onFailure, waitsUntil: ending.signal });
  const { signal } = ending;
  const request = { method: 'POST', url: server.origin, headers: {}, body: { json: {} }, signal, newFile } as const;
  return { reply: http.send({ ...request, timeoutMs: HELD_LIMIT_MS, maxResponseBytes: 50_000_000 }), failed, ending };
}

async function expectWhole(reply: Promise<Reply>, expected: readonly Buffer[]): Promise<void> {
  const got = await reply;
  if (got.kind !== 'answer' || got.body.kind !== 'json') throw new Error(JSON.stringify(got));
  const { data } = got.body.value as { data: { b64_json: unknown }[] };
  for (const [index, bytes] of expected.entries()) {
    const file = base64Bytes(data[index]?.b64_json);
    if (!(file instanceof AnswerFile)) throw new Error('expected a file');
    expect((await readFile(file.path)).equals(bytes)).toBe(true);
  }
}

(canOpenSmallDisk() ? describe : describe.skip)('an answer that comes while the disk is full', () => {
  it('is reported at once, waits in its connection, and is whole once there is space', async () => {
    await disk.fill();
    const { reply, failed } = ask();
    // Users other than root get a closed folder instead.
    expect(await failed).toMatchObject({ code: expect.stringMatching(/^(ENOSPC|EACCES)$/) });
    await disk.empty();
    await expectWhole(reply, images);
  });

  it('is given up at the time limit of its call', async () => {
    await disk.fill();
    const { reply, failed, ending } = ask();
    await failed;
    limits.pass();
    expect(await reply).toMatchObject({ kind: 'answer', body: { kind: 'unreadable', why: 'deadline' } });
    ending.abort();
  });

  it('waits in memory where it is small, longer than the time limit of its call', async () => {
    sent = small;
    await disk.fill();
    const { reply, failed } = ask();
    await failed;
    // The whole answer has come: what is left of the limit bounds nothing any more.
    await until(() => limits.open() === 0);
    await disk.empty();
    await expectWhole(reply, small);
  });
});
