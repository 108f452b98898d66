import { connect } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { judgedFetch } from '../system/judged-answers';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const UNIT = 1_000_000_000n;
/** The small image that these tests order; `priceOf` finds out what it costs. */
const PRICED = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low', size: '1:1' };
const IMAGES = '/v1/images/generations';

let system: System;
let owner: SystemAccount;
let stranger: SystemAccount;

beforeAll(async () => {
  system = await startSystem({ env: { SIM_IMAGE_MS: '20' } });
  owner = await system.account(100n * UNIT);
  stranger = await system.account(100n * UNIT);
}, 120_000);
afterAll(() => system?.stop(), 120_000);
afterEach(async () => expect(await system.audit()).toEqual([]));

describe("another account's things", () => {
  it('read as if there were none, by every way that leads to them', async () => {
    const taskId = await owner.caller.submit({});
    const { result } = await owner.caller.ended(taskId);
    const { caller } = stranger;
    for (const path of [`/v1/tasks/${taskId}`, `/v1/tasks/${taskId}/lineage`, `/v1/music/tasks/${taskId}`]) {
      expect({ path, status: (await caller.get(path)).status }).toEqual({ path, status: 404 });
    }
    expect((await caller.get(`/v1/imgtool/${taskId}`)).status).toBe(404);
    expect((await caller.get(`/mj/task/${taskId}/fetch`)).status).toBe(404);
    const batch = await caller.post('/v1/tasks/batch', { task_ids: [taskId] });
    expect(batch.body.data).toMatchObject([{ id: taskId, status: 'not_found' }]);
    expect((await caller.post('/mj/task/list-by-condition', { ids: [taskId] })).body).toEqual([]);
    const followUps = [
      ['/v1/imgtool/generations/upscale', { task_id: taskId, index: 1 }],
      ['/v1/imgtool/generations/reroll', { task_id: taskId }],
      ['/v1/music/generations/extend', { task_id: taskId, continue_at: 1 }],
    ] as const;
    for (const [path, body] of followUps) {
      const answer = await caller.post(path, body);
      const unknown = await caller.post(path, { ...body, task_id: `task_${'0'.repeat(26)}` });
      expect({ path, ...refusalIn(answer) }).toEqual({ path, ...refusalIn(unknown) });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect(result?.images[0]?.url[0]).toMatch(/^http/);
  });

  it('are not given away by the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the-same-for-everybody' };
    const ids = [];
    for (const { caller } of [owner, stranger])
      ids.push((await caller.post(IMAGES, PRICED, headers)).body.data[0].task_id);
    expect(new Set(ids).size).toBe(2);
    await Promise.all([owner.caller.ended(ids[0]), stranger.caller.ended(ids[1])]);
  });
});

/** Each request has an id of its own. */
function refusalIn({ status, body }: { status: number; body: { error: { request_id: string } } }) {
  const { request_id: _, ...error } = body.error;
  return { status, error };
}

it('a signed link opens nothing but what was signed', async () => {
  const record = await owner.caller.ended(await owner.caller.submit({}));
  const link = new URL(record.result?.images[0]?.url[0] ?? '');
  expect((await judgedFetch(link)).status).toBe(200);
  const changed = (change: (url: URL) => void) => {
    const url = new URL(link);
    change(url);
    return url;
  };
  const last = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
  const names = [...link.searchParams.keys()];
  const forged = [
    ...names.map((name) => changed((url) => url.searchParams.set(name, last(url.searchParams.get(name) ?? '')))),
    ...names.map((name) => changed((url) => url.searchParams.delete(name))),
    ...['%2e%2e%2f', '..%5c', '%00'].map((dots) =>
      changed((url) => {
        url.pathname = `/v1/files/${dots}${url.pathname.split('/').at(-1)}`;
      }),
    ),
  ];
  for (const url of forged) {
    const { status } = await judgedFetch(url);
    expect({ url: url.pathname + url.search.replace(/[\w-]{16,}/g, '…'), ok: status < 400 }).toMatchObject({
      ok: false,
    });
  }
}, 60_000);

/** One address, this machine's own, in the spellings that readers of addresses have taken for another. */
const INWARD = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::127.0.0.1]',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'user@127.0.0.1',
];

it('an address within is refused in every spelling, and nothing of it is called or charged', async () => {
  const before = (await owner.caller.get('/v1/balance')).body;
  const statuses: Record<string, number> = {};
  for (const host of INWARD) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}/image.png`;
      const { status } = await owner.caller.post(IMAGES, { ...PRICED, image_urls: [url] });
      statuses[url] = status;
    }
  }
  const taken = Object.entries(statuses).filter(([, status]) => status !== 400);
  expect(taken).toEqual([]);
  for (const scheme of ['file', 'ftp', 'gopher', 'javascript', 'dict']) {
    expect((await owner.caller.post(IMAGES, { ...PRICED, image_urls: [`${scheme}://example.com/a`] })).status).toBe(
      400,
    );
  }
  expect((await owner.caller.get('/v1/balance')).body).toEqual(before);
}, 60_000);

/** Sends the bytes as they are; answers with the statuses of all answers that come until the end of the connection. */
async function sendRaw(text: string): Promise<number[]> {
  const socket = connect(Number(new URL(system.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.end(text);
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('close', () => resolve());
  });
  return [
    ...Buffer.concat(chunks)
      .toString('latin1')
      .matchAll(/^HTTP\/1\.1 (\d+)/gm),
  ].map(([, status]) => Number(status));
}

describe('HTTP that two readers read in two ways', () => {
  const hidden = 'GET /v1/balance HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n';
  const head = 'POST /v1/images/generations HTTP/1.1\r\nHost: x\r\n';
  it.each([
    ['two lengths', `${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`],
    ['a length and chunks', `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks in another spelling', `${head}Transfer-Encoding: xchunked\r\n\r\n`],
    ['two encodings', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a blank before the colon', `${head}Content-Length : 0\r\n\r\n`],
    ['a folded header', `${head}X: a\r\n Content-Length: 5\r\nContent-Length: 0\r\n\r\n`],
    ['a signed length', `${head}Content-Length: +0\r\n\r\n`],
    ['a chunk size that is none', `${head}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`],
    ['a bare carriage return', `${head}X: a\rContent-Length: 0\r\n\r\n`],
    ['a NUL in a header', `${head}X: a\0b\r\n\r\n`],
  ])('is refused: %s', async (_what, text) => {
    const statuses = await sendRaw(`${text}${hidden.replace('KEY', owner.key)}`);
    // The request hidden behind it is never answered as one of its own.
    expect(statuses.filter((status) => status === 200)).toEqual([]);
    expect(statuses[0] ?? 400).toBeGreaterThanOrEqual(400);
  });
});

/** A PNG whose header claims so many pixels; the data of it are few bytes. */
function bombOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(4 * 1024 * 1024));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

it('an image that unfolds to more than memory is refused by its header', async () => {
  for (const [width, height] of [
    [30_000, 30_000],
    [65_535, 65_535],
    [1, 2_000_000_000],
  ] as const) {
    const data = `data:image/png;base64,${bombOf(width, height).toString('base64')}`;
    expect((await owner.caller.post('/v1/uploads/images', { data })).status).toBe(400);
  }
});

describe('many at once for little money', () => {
  it('get no more than was paid for, and all of it', async () => {
    const price = await priceOf(owner);
    const poor = await system.account(price * 5n);
    const answers = await Promise.all(Array.from({ length: 60 }, () => poor.caller.post(IMAGES, PRICED)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 402)).toHaveLength(55);
    await Promise.all(
      answers.filter(({ status }) => status === 200).map(({ body }) => poor.caller.ended(body.data[0].task_id)),
    );
  }, 60_000);

  it('under one Idempotency-Key are one task, paid once', async () => {
    const { caller } = await system.account(100n * UNIT);
    const headers = { 'idempotency-key': 'once' };
    const answers = await Promise.all(Array.from({ length: 40 }, () => caller.post(IMAGES, PRICED, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = new Set(answers.map(({ body }) => body.data[0].task_id));
    expect(ids.size).toBe(1);
    await caller.ended([...ids][0]);
  }, 60_000);
});

/** Reserved for the priced image. */
async function priceOf({ caller, accountId }: SystemAccount): Promise<bigint> {
  const id = await caller.submit(PRICED, IMAGES);
  const reservation = await system.database.reservation.findFirstOrThrow({ where: { taskId: id, accountId } });
  await caller.ended(id);
  return reservation.amountNano;
}
