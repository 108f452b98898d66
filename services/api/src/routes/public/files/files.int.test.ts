import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@mediagate/contracts';
import { FILE_MAX_BYTES } from '@mediagate/media';
import { type Bucket, forAllTests, openBucket } from '@mediagate/testkit';
import { createClient } from '../../../../../../packages/client/src/index.ts';
import { rawPost } from '../../../../test/raw-post';
import { type Answer, type Caller, SMALL_IMAGE, startTestApi, type TestApi } from '../../../../test/test-api';
import { printedPdf, wavOf, webmOf } from '../../../../test/test-files';
import { fileOf, noisyPngOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const ample = { storedBytes: 1e9, storedFiles: 1e6, dayBytes: 1e9, dayFiles: 1e6 };
const VIDEO = webmOf(1);
const UNKNOWN_ID = `file_${'0'.repeat(26)}`;

function formOf(bytes: Buffer, field = 'file', name = 'a.bin'): FormData {
  const form = new FormData();
  form.append('purpose', 'vision');
  form.append(field, fileOf(bytes), name);
  return form;
}

const send = (bytes: Buffer, { key } = caller) => api.post('/v1/files', formOf(bytes), { key });
const remove = (id: string, { key } = caller) => api.get(`/v1/files/${id}`, { method: 'DELETE', key });
const submit = (body: JsonObject, route = '/v1/images/generations') => api.post(route, body, { key: caller.key });

async function sent(bytes: Buffer, owner = caller): Promise<JsonObject & { id: string; url: string }> {
  const { status, body } = await send(bytes, owner);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}

async function inputOf({ body }: Answer): Promise<JsonObject> {
  const task = await api.database.task.findUniqueOrThrow({ where: { id: body.data[0].task_id } });
  return task.input as JsonObject;
}

async function storedUsage(accountId: string) {
  const row = await api.database.storageUsage.findUniqueOrThrow({ where: { owner: `account:${accountId}` } });
  return { bytes: Number(row.storedBytes), files: row.storedFiles };
}

describe('POST /v1/files', () => {
  it('says what a file states about its origin where that is asked for, and nothing of it otherwise', async () => {
    const signed = readFileSync(join(__dirname, '../../../../../../packages/provenance/test/files/signed.png'));
    const { body } = await api.post('/v1/files?include=provenance', formOf(signed), { key: caller.key });
    expect(body.data.provenance).toEqual({
      sources: [expect.objectContaining({ standard: 'c2pa', issuer: 'Example Models', valid: true, problem: null })],
    });
    expect(await sent(signed)).not.toHaveProperty('provenance');
    const plain = await api.post('/v1/files?include=provenance', formOf(pngOf(12, 34)), { key: caller.key });
    expect(plain.body.data.provenance).toEqual({ sources: [] });
    const unknown = await api.post('/v1/files?include=everything', formOf(signed), { key: caller.key });
    expect([unknown.status, unknown.body.error.param]).toEqual([400, 'include']);
  });

  it.each<[kind: string, bytes: () => Buffer, facts: JsonObject]>([
    ['image', () => pngOf(12, 34), { content_type: 'image/png', width: 12, height: 34 }],
    ['audio', () => wavOf(2), { content_type: 'audio/wav', duration: 2 }],
    ['video', () => VIDEO, { content_type: 'video/webm', width: 320, height: 240, duration: 1 }],
    ['document', printedPdf, { content_type: 'application/pdf', pages: expect.any(Number) as unknown as number }],
    ['document', () => Buffer.from('plain words'), { content_type: 'text/plain' }],
  ])('tells an %s by its bytes, serves it under its link and shows its record', async (kind, make, facts) => {
    const bytes = make();
    const record = await sent(bytes);
    expect(record).toEqual({
      id: expect.stringMatching(/^file_[0-9a-z]{26}$/),
      url: expect.stringContaining('/v1/files/'),
      kind,
      bytes: bytes.length,
      width: null,
      height: null,
      duration: null,
      pages: null,
      created_at: expect.any(Number),
      expires_at: expect.any(Number),
      ...facts,
    });
    expect(Number(record['expires_at']) - Number(record['created_at'])).toBeCloseTo(72 * 3600, -1);
    const { pathname, search } = new URL(record.url);
    const served = await fetch(`${api.url}${pathname}${search}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    const { body } = await api.get(`/v1/files/${record.id}`, { key: caller.key });
    expect(body).toEqual({ code: 200, data: record });
  });

  describe('refused', () => {
    let rows: Record<string, number>;
    beforeEach(async () => {
      rows = await api.countRows();
    });
    afterEach(async () => {
      expect(await api.countRows()).toEqual(rows);
    });

    it.each<[what: string, body: () => unknown, status: number, param: string | undefined]>([
      ['a page of HTML', () => formOf(Buffer.from('<!doctype html><script>1</script>')), 400, 'file'],
      ['a program', () => formOf(Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1')), 400, 'file'],
      ['nothing', () => formOf(Buffer.alloc(0)), 400, 'file'],
      ['half a PNG', () => formOf(pngOf(20, 20).subarray(0, 40)), 400, 'file'],
      ['a pixel bomb', () => formOf(pngOf(1, 1, { width: 100_000, height: 100_000 })), 400, 'file'],
      ['a video without its index', () => formOf(VIDEO.subarray(0, 200)), 400, 'file'],
      ['another field', () => formOf(pngOf(2, 2), 'photo'), 400, 'file'],
      [
        'an image beyond the limit of images',
        () => formOf(Buffer.concat([pngOf(2, 2), Buffer.alloc(21e6)])),
        413,
        'file',
      ],
      ['JSON', () => ({ file: 'data:image/png;base64,AAAA' }), 415, undefined],
    ])('%s: leaves nothing behind', async (_what, body, status, param) => {
      const answer = await api.post('/v1/files', body(), { key: caller.key });
      expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    });

    it('two files: leave nothing behind', async () => {
      const form = formOf(pngOf(2, 2));
      form.append('file', fileOf(pngOf(3, 3)), 'b.png');
      const { status, body } = await api.post('/v1/files', form, { key: caller.key });
      expect([status, body.error.param]).toEqual([400, 'file']);
    });

    it('a form that is longer than any file may be: is not even read', async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const port = Number(new URL(api.url).port);
      const length = FILE_MAX_BYTES + 1e6;
      const answer = await rawPost({
        port,
        path: '/v1/files',
        key: caller.key,
        headers,
        length,
        send: () => undefined,
      });
      answer.leave();
      expect(answer.status).toBe(413);
    });

    it('a form that ends within its file, or that its caller leaves: leaves nothing behind', async () => {
      const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const port = Number(new URL(api.url).port);
      const base = { port, path: '/v1/files', key: caller.key, headers };
      const cut = await rawPost({
        ...base,
        async send(body) {
          await body.write(`${head}bytes`);
          await body.end();
        },
      });
      expect(cut.status).toBe(400);
      const left = await rawPost({
        ...base,
        length: 1e6,
        async send({ write, socket }) {
          await write(`${head}bytes`);
          socket.destroy();
        },
      });
      expect(left.status).toBeUndefined();
    });
  });

  it('beyond a quota is 429 and kept nowhere', async () => {
    const narrow = await startTestApi({ uploadQuotas: { account: { ...ample, storedFiles: 2 }, key: ample } });
    try {
      const { key } = await narrow.createCaller();
      const rush = Array.from({ length: 5 }, () => narrow.post('/v1/files', formOf(wavOf(1)), { key }));
      const statuses = (await Promise.all(rush)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 200, 429, 429, 429]);
      expect(await narrow.countRows()).toMatchObject({ media_objects: 2, files: 2 });
    } finally {
      await narrow.stop();
    }
  });
});

describe('the files of an account', () => {
  it('are listed, the newest first, in pages', async () => {
    const owner = await api.createCaller();
    const ids: string[] = [];
    for (const side of [2, 3, 4]) ids.unshift((await sent(pngOf(side, side), owner)).id);
    const first = await api.get('/v1/files?limit=2', { key: owner.key });
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const rest = await api.get(`/v1/files?cursor=${first.body.next_cursor}`, { key: owner.key });
    expect(rest.body).toMatchObject({ data: [{ id: ids[2] }], next_cursor: null, has_more: false });
    for (const query of ['cursor=x', 'kind=image']) {
      const { status, body } = await api.get(`/v1/files?${query}`, { key: owner.key });
      expect([status, body.error.param]).toEqual([400, query.split('=')[0]]);
    }
  });

  it('are deleted by the key that sent them, or by one that may manage', async () => {
    const manager = await api.createCaller({ canManage: true });
    const makeKey = async (fields = {}) =>
      (await api.post('/v1/keys', fields, { key: manager.key })).body.data.key as string;
    const [sender, sibling, reader] = [await makeKey(), await makeKey(), await makeKey({ scope: 'account' })];
    const statusOf = async (key: string) => {
      const { id } = (await api.post('/v1/files', formOf(pngOf(8, 8)), { key: sender })).body.data;
      return (await api.get(`/v1/files/${id}`, { method: 'DELETE', key })).status;
    };
    const statuses: number[] = [];
    for (const key of [sibling, reader, manager.key, sender]) statuses.push(await statusOf(key));
    expect(statuses).toEqual([404, 403, 200, 200]);
  });

  it('end when they are deleted: link, id, bytes, and what they took of the quota, once', async () => {
    const owner = await api.createCaller();
    const kept = await sent(pngOf(5, 5), owner);
    const before = await storedUsage(owner.accountId);
    const { id, url } = await sent(pngOf(6, 6), owner);
    const answers = await Promise.all([remove(id, owner), remove(id, owner)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(await storedUsage(owner.accountId)).toEqual(before);
    const { pathname, search } = new URL(url);
    expect((await fetch(`${api.url}${pathname}${search}`)).status).toBe(410);
    for (const status of [
      (await remove(id, owner)).status,
      (await api.get(`/v1/files/${id}`, { key: owner.key })).status,
    ]) {
      expect(status).toBe(404);
    }
    expect((await api.get('/v1/files', { key: owner.key })).body.data).toMatchObject([{ id: kept.id }]);
  });

  it('have no link where the storage is a disk: 409', async () => {
    for (const [place, body] of [['presign', { bytes: 5 }] as const, [`${UNKNOWN_ID}/complete`, {}] as const]) {
      const answer = await api.post(`/v1/files/${place}`, body, { key: caller.key });
      expect([answer.status, answer.body.error.reason]).toEqual([409, 'direct_upload_unavailable']);
    }
  });
});

describe('an id of a file in a submission', () => {
  it.each<[family: string, route: string, bytes: () => Buffer, body: (id: string) => JsonObject, field: string]>([
    [
      'images',
      '/v1/images/generations',
      () => pngOf(64, 64),
      (id) => ({ ...SMALL_IMAGE, image_urls: [id] }),
      'image_urls',
    ],
    [
      'edits',
      '/v1/images/edits',
      () => pngOf(64, 64),
      (id) => ({ ...SMALL_IMAGE, image_urls: [id], mask_url: id }),
      'mask_url',
    ],
    ['imgtool', '/v1/imgtool/generations/describe', () => pngOf(64, 64), (id) => ({ image_urls: [id] }), 'image_urls'],
    ['music', '/v1/music/generations/upload', () => wavOf(2), (id) => ({ audio_url: id }), 'audio_url'],
    [
      'videos',
      '/v1/videos/generations',
      printedPdf,
      (id) => ({ model: 'videoa-3.0-video', prompt: 'a boat', file_url: id }),
      'file_url',
    ],
  ])('is taken by %s, and the task has its link', async (_family, route, make, body, field) => {
    const { id, url } = await sent(make());
    const answer = await submit(body(id), route);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const value = (await inputOf(answer))[field];
    expect(Array.isArray(value) ? value[0] : value).toBe(url);
  });

  it.each<
    [family: string, route: string, bytes: () => Buffer, type: string, body: (url: string) => JsonObject, field: string]
  >([
    [
      'images',
      '/v1/images/generations',
      () => noisyPngOf(64, 64),
      'image/png',
      (url) => ({ ...SMALL_IMAGE, image_urls: [url] }),
      'image_urls',
    ],
    ['music', '/v1/music/generations/upload', () => wavOf(2), 'audio/wav', (url) => ({ audio_url: url }), 'audio_url'],
    [
      'videos',
      '/v1/videos/generations',
      printedPdf,
      'application/pdf',
      (url) => ({ model: 'videoa-3.0-video', prompt: 'a boat', file_url: url }),
      'file_url',
    ],
  ])('is no more than a data URL, which %s take as well', async (_family, route, make, type, body, field) => {
    const bytes = make();
    const answer = await submit(body(`data:${type};base64,${bytes.toString('base64')}`), route);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const value = (await inputOf(answer))[field];
    const media = await api.mediaStore.resolveOwnUrl(String(Array.isArray(value) ? value[0] : value));
    expect(media).toMatchObject({ purpose: 'upload', contentType: type, bytes: bytes.length });
  });

  it('is judged at once by what the file was found to be; nothing is booked', async () => {
    const [long, mask, image] = [await sent(wavOf(20)), await sent(pngOf(9, 9)), await sent(pngOf(8, 8))];
    const rows = await api.countRows();
    const video = { model: 'videoa-3.0-video', prompt: 'a boat' };
    const asAudio = await submit({ ...video, audio_urls: [long.id] }, '/v1/videos/generations');
    expect([asAudio.status, asAudio.body.error]).toMatchObject([400, { reason: 'bad_media', param: 'audio_urls[0]' }]);
    const masked = await submit({ ...SMALL_IMAGE, image_urls: [image.id], mask_url: mask.url });
    expect([masked.status, masked.body.error]).toMatchObject([400, { reason: 'bad_media', param: 'mask_url' }]);
    expect(masked.body.error.message).toContain('9x9 pixels and its image 8x8');
    expect(await api.countRows()).toEqual(rows);
  });

  it('that is unknown or another account’s is 404, one that has ended 400, by the field; nothing is booked', async () => {
    const theirs = await sent(pngOf(8, 8), await api.createCaller());
    const [deleted, expired] = [await sent(pngOf(8, 8)), await sent(pngOf(8, 8))];
    await remove(deleted.id);
    const past = new Date(Date.now() - 1000);
    await api.database.mediaObject.update({ where: { id: expired.id.slice(5) }, data: { expiresAt: past } });
    const rows = await api.countRows();
    for (const [id, status, reason] of [
      [theirs.id, 404, 'not_found'],
      [UNKNOWN_ID, 404, 'not_found'],
      [deleted.id, 400, 'bad_media'],
      [expired.id, 400, 'bad_media'],
    ] as const) {
      const { status: answered, body } = await submit({ ...SMALL_IMAGE, image_urls: [id] });
      expect([answered, body.error]).toMatchObject([status, { reason, param: 'image_urls[0]' }]);
    }
    expect(await api.countRows()).toEqual(rows);
  });
});

describe('a file that is sent to the storage', () => {
  let bucket: Bucket;
  let direct: TestApi;
  let owner: Caller;

  beforeAll(async () => {
    bucket = await openBucket();
    direct = await startTestApi({ storage: { ...bucket.storage, redirectDownloads: false, readFolder: false } });
  });
  beforeEach(async () => {
    owner = await direct.createCaller();
  });
  afterEach(async () => {
    await expireAll();
  });
  afterAll(async () => {
    await direct.stop();
    await bucket.close();
  });

  const announce = (bytes: number) => direct.post('/v1/files/presign', { bytes }, { key: owner.key });
  const complete = (id: string, { key } = owner) => direct.post(`/v1/files/${id}/complete`, {}, { key });
  const put = (
    { url, method, headers }: { url: string; method: string; headers: Record<string, string> },
    bytes: Buffer,
  ) => fetch(url, { method, headers, body: new Uint8Array(bytes) });
  const usage = async () => {
    const row = await direct.database.storageUsage.findUniqueOrThrow({
      where: { owner: `account:${owner.accountId}` },
    });
    return { bytes: Number(row.storedBytes), files: row.storedFiles };
  };
  const objects = async () => {
    const all = await readdir(bucket.directory, { recursive: true, withFileTypes: true });
    return all.filter((file) => file.isFile() && file.name.endsWith('_object')).length;
  };
  const expireAll = async () => {
    await direct.database.mediaObject.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } });
    return await direct.mediaStore.expireMedia(100);
  };

  it('is judged when it is completed, and then a file like any other', async () => {
    const bytes = wavOf(30);
    const { status, body } = await announce(bytes.length);
    expect([status, body.data]).toMatchObject([
      200,
      { method: 'PUT', headers: { 'content-length': String(bytes.length) } },
    ]);
    expect(await usage()).toEqual({ bytes: bytes.length, files: 1 });
    const { id } = body.data;
    expect((await direct.get(`/v1/files/${id}`, { key: owner.key })).status).toBe(404);
    expect((await put(body.data, bytes)).status).toBe(200);
    const completed = await complete(id);
    expect([completed.status, completed.body.data]).toMatchObject([
      200,
      { id, kind: 'audio', duration: 30, bytes: bytes.length },
    ]);
    expect((await complete(id)).body).toEqual(completed.body);
    expect(await usage()).toEqual({ bytes: bytes.length, files: 1 });
    expect(await objects()).toBe(1);
    const music = await direct.post('/v1/music/generations/upload', { audio_url: id }, { key: owner.key });
    expect(music.status).toBe(200);
  });

  it('goes there by packages/client when it is large', async () => {
    const bytes = noisyPngOf(1800, 1700);
    const client = createClient({ baseUrl: direct.url, apiKey: owner.key });
    const record = await client.uploadFile(new Uint8Array(bytes));
    expect(record).toMatchObject({ kind: 'image', width: 1800, bytes: bytes.length });
    // The object that the link wrote is another than the file.
    const rows = await direct.database.mediaObject.findMany({ where: { accountId: owner.accountId } });
    expect(rows.map(({ purpose }) => purpose).sort()).toEqual(['leftover', 'upload']);
  });

  it('is no longer what the link can write once it was judged', async () => {
    const bytes = wavOf(1);
    const { data } = (await announce(bytes.length)).body;
    await put(data, bytes);
    const { body } = await complete(data.id);
    expect((await put(data, Buffer.alloc(bytes.length))).status).toBe(200);
    const { pathname, search } = new URL(body.data.url);
    const served = await fetch(`${direct.url}${pathname}${search}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    // An object that was written too late is deleted with the announcement.
    await expireAll();
    expect(await objects()).toBe(0);
  });

  it('409: is not there before it was sent, and may be completed later', async () => {
    const bytes = wavOf(1);
    const { data } = (await announce(bytes.length)).body;
    const early = await complete(data.id);
    expect([early.status, early.body.error.reason]).toEqual([409, 'upload_missing']);
    await put(data, bytes);
    expect((await complete(data.id)).status).toBe(200);
  });

  it('400: leaves nothing in the storage and the quota where it is refused', async () => {
    const program = Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1');
    const { data } = (await announce(program.length)).body;
    await put(data, program);
    const { status, body } = await complete(data.id);
    expect([status, body.error]).toMatchObject([400, { reason: 'bad_media', param: 'file' }]);
    expect([await usage(), await objects()]).toEqual([{ bytes: 0, files: 0 }, 0]);
    expect((await complete(data.id)).status).toBe(404);
  });

  it.each([9, 11])('400: is refused where the storage has let through %i bytes in place of 10', async (length) => {
    const { data } = (await announce(10)).body;
    expect((await put({ ...data, headers: {} }, Buffer.alloc(length, 'a'))).status).toBe(200);
    const { status, body } = await complete(data.id);
    expect([status, body.error.message]).toEqual([400, `file: The file has ${length} bytes, and 10 were announced.`]);
    expect(await usage()).toEqual({ bytes: 0, files: 0 });
  });

  it('gives back what it took of the quota when it is not completed in time', async () => {
    const { data } = (await announce(1000)).body;
    await put(data, Buffer.alloc(1000));
    await expireAll();
    expect([await usage(), await objects()]).toEqual([{ bytes: 0, files: 0 }, 0]);
    expect((await complete(data.id)).status).toBe(404);
  });

  it('is counted once and kept once, however many complete it at once', async () => {
    const bytes = pngOf(30, 30);
    const { data } = (await announce(bytes.length)).body;
    await put(data, bytes);
    const answers = await Promise.all(Array.from({ length: 4 }, () => complete(data.id)));
    expect(answers.map(({ status }) => status)).toContain(200);
    expect([await usage(), await objects()]).toEqual([{ bytes: bytes.length, files: 1 }, 1]);
  });

  it('403: is not completed for an account that is suspended meanwhile', async () => {
    const bytes = wavOf(1);
    const { data } = (await announce(bytes.length)).body;
    await put(data, bytes);
    await direct.database.account.update({ where: { id: owner.accountId }, data: { state: 'suspended' } });
    // The process remembers the first key for some seconds.
    const renewed = await direct.createCaller({ accountId: owner.accountId });
    const { status, body } = await complete(data.id, renewed);
    expect([status, body.error.reason]).toEqual([403, 'account_suspended']);
    const { purpose } = await direct.database.mediaObject.findUniqueOrThrow({ where: { id: data.id.slice(5) } });
    expect(purpose).toBe('incoming');
  });

  it.each([undefined, 0, 1.5, '5', FILE_MAX_BYTES + 1])('400: of %p bytes cannot be announced', async (bytes) => {
    const { status, body } = await direct.post('/v1/files/presign', { bytes }, { key: owner.key });
    expect([status, body.error.param]).toEqual([400, 'bytes']);
  });
});
