import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLogger, type Logger } from '@mediagate/host';
import { createFfmpeg } from '@mediagate/media';
import { createFingerprintTaker } from '@mediagate/provenance';
import { forAllTests } from '@mediagate/testkit';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { createClient } from '../../../../../../packages/client/src/index.ts';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';
import { wavOf } from '../../../../test/test-files';
import { fileOf, pngOf } from '../../../../test/test-images';
import { openApiFfmpeg } from '../../../open-api-ffmpeg';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());
const PATH = '/v1/provenance/verify';

const signed = readFileSync(path.join(__dirname, '../../../../../../packages/provenance/test/files/signed.png'));
const take = createFingerprintTaker(undefined);

function ask(bytes: Buffer, { key }: Pick<Caller, 'key'> = caller) {
  const form = new FormData();
  form.append('file', fileOf(bytes), 'a.bin');
  return api.post(PATH, form, { key });
}

/** The row of a result, as a worker keeps it. */
async function kept(
  taskId: string,
  bytes: Buffer,
  { accountId, keyId, flipped = 0n, kind = 'image' }: Owner & { flipped?: bigint; kind?: string } = ownerOf(caller),
) {
  const options = { owner: { accountId, id: keyId, isTest: false }, signal: new AbortController().signal };
  const [hash = 0n] = await take({ bytes, contentType: 'image/png' }, options);
  const sha256 = createHash('sha256').update(bytes).digest();
  const file = { sha256: flipped === 0n ? sha256 : Buffer.alloc(32, taskId), hashes: [hash ^ flipped] };
  await api.database.insertFingerprints([{ taskId, accountId, keyId, output: 1, kind, ...file }]);
}

/** As many newer results as a search compares. */
async function fillUp(owner: Caller) {
  const newer = Array.from({ length: 10_000 }, (_, index) => ({
    ...ownerOf(owner),
    taskId: `task_${owner.keyId}_${index}`,
    output: 1,
    kind: 'audio',
    sha256: Buffer.alloc(32),
    hashes: [],
  }));
  await api.database.insertFingerprints(newer);
}

const ownerOf = ({ accountId, keyId }: Owner): Owner => ({ accountId, keyId });
type Owner = Pick<Caller, 'accountId' | 'keyId'>;

it('says what a file states, and which results of the account it is or resembles, the nearest first', async () => {
  await kept('task_same', signed);
  await kept('task_alike', signed, { ...ownerOf(caller), flipped: 0b1011n });
  await kept('task_far', signed, { ...ownerOf(caller), flipped: 0xfffn });
  const other = await api.createCaller();
  await kept('task_theirs', signed, { ...ownerOf(other), flipped: 0n });
  const { status, body } = await ask(signed);
  expect([status, body.data]).toMatchObject([
    200,
    {
      content_type: 'image/png',
      sources: [{ standard: 'c2pa', valid: true, issuer: 'Example Models' }],
      results: [
        { task_id: 'task_same', output: 1, kind: 'image', same_bytes: true, distance: 0 },
        { task_id: 'task_alike', same_bytes: false, distance: 3 },
      ],
    },
  ]);
  expect(body.data.results).toHaveLength(2);
  expect((await ask(signed, other)).body.data.results).toMatchObject([{ task_id: 'task_theirs', same_bytes: true }]);
});

it('takes no sound for what looks as its spectrum does', async () => {
  const owner = await api.createCaller();
  await kept('task_sound', signed, { ...ownerOf(owner), flipped: 0b1n, kind: 'audio' });
  expect((await ask(signed, owner)).body.data).toMatchObject({ compared: 'appearance', results: [] });
});

it('finds an old result among ten thousand newer ones by a quarter of its hash, or by its bytes', async () => {
  const owner = await api.createCaller();
  await kept('task_0', signed, { ...ownerOf(owner), flipped: 0b1n });
  await kept('task_00', signed, { ...ownerOf(owner), flipped: 0n });
  const own = await api.createCaller({ accountId: owner.accountId, scope: 'own' });
  await kept('task_000', signed, { ...ownerOf(own), flipped: 0b10n });
  await fillUp(owner);
  const { results } = (await ask(signed, owner)).body.data;
  expect(results).toMatchObject([{ task_id: 'task_00' }, { distance: 1 }, { distance: 1 }]);
  expect((await ask(signed, own)).body.data.results).toMatchObject([{ task_id: 'task_000', distance: 1 }]);
});

it('shows a key of the scope own what it has made, and nothing else', async () => {
  const owner = await api.createCaller();
  const own = await api.createCaller({ accountId: owner.accountId, scope: 'own' });
  await kept('task_of_whole', signed, { ...ownerOf(owner), flipped: 0n });
  expect((await ask(signed, own)).body.data.results).toEqual([]);
  await kept('task_of_own', signed, { ...ownerOf(own), flipped: 0n });
  expect((await ask(signed, own)).body.data.results).toMatchObject([{ task_id: 'task_of_own' }]);
});

it('compares a sound by its bytes, and an image of one shade with nothing', async () => {
  expect((await ask(wavOf(1))).body.data).toMatchObject({ content_type: 'audio/wav', sources: [], compared: 'bytes' });
  expect((await ask(pngOf(40, 40))).body.data.sources).toEqual([]);
});

it('unfolds no image of more than 16 megapixels, and compares its bytes', async () => {
  const owner = await api.createCaller();
  const large = pngOf(4001, 4000);
  await kept('task_large', large, { ...ownerOf(owner), flipped: 0n });
  await kept('task_alike', signed, { ...ownerOf(owner), flipped: 0n });
  const { results } = (await ask(large, owner)).body.data;
  expect(results).toEqual([expect.objectContaining({ task_id: 'task_large', same_bytes: true })]);
});

it('unfolds no image of an account that has no results to compare it with', async () => {
  const owner = await api.createCaller();
  const damaged = Buffer.from(signed);
  damaged.fill(0xff, signed.indexOf('IDAT') + 6, signed.indexOf('IDAT') + 40);
  expect((await ask(damaged, owner)).body.data).toMatchObject({ sources: [{ standard: 'c2pa' }], results: [] });
  await kept('task_any', signed, { ...ownerOf(owner), flipped: 0n });
  expect((await ask(damaged, owner)).body.error).toMatchObject({ reason: 'bad_media', param: 'file' });
});

describe('a video or a sound', () => {
  let folder: string;
  const seeing = forAllTests(() => startTestApi({ ffmpegPath: ffmpegProgram() }));
  const file = (name: string) => path.join(folder, name);
  const ffmpeg = (name: string, args: string) =>
    promisify(execFile)(ffmpegProgram(), ['-loglevel', 'error', '-y', ...args.split(' '), file(name)]);
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mediagate-verify-'));
    await ffmpeg('made.mp4', '-f lavfi -i testsrc=size=640x360:rate=10:duration=4 -c:v libx264 -pix_fmt yuv420p');
    await ffmpeg('smaller.mp4', `-i ${file('made.mp4')} -vf scale=320:180 -crf 35 -c:v libx264 -pix_fmt yuv420p`);
    await ffmpeg('larger.mov', `-i ${file('made.mp4')} -vf noise=alls=8:allf=t -crf 10 -c:v libx264 -pix_fmt yuv420p`);
    await ffmpeg('other.mp4', '-f lavfi -i mandelbrot=size=640x360:rate=10 -t 3 -c:v libx264 -pix_fmt yuv420p');
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The row of a file, as a worker keeps it. */
  async function keep(
    at: TestApi,
    owner: Caller,
    { taskId, name, contentType } = { taskId: 'task_film', name: 'made.mp4', contentType: 'video/mp4' },
  ) {
    const bytes = { path: file(name), totalBytes: (await stat(file(name))).size };
    const taker = createFingerprintTaker(createFfmpeg({ path: ffmpegProgram() }));
    const options = { owner: { accountId: 'a', id: 'k', isTest: false }, signal: new AbortController().signal };
    const hashes = await taker({ bytes, contentType }, options);
    const sha256 = createHash('sha256')
      .update(await readFile(bytes.path))
      .digest();
    const kind = contentType.replace(/\/.*/, '');
    const made = { ...ownerOf(owner), taskId, output: 1, kind, sha256, hashes };
    await at.database.insertFingerprints([made]);
  }

  /** A program that says it is ffmpeg. */
  async function programOf(name: string, script: string) {
    await writeFile(file(name), `#!/bin/sh\n[ "$*" = -version ] && exec echo ffmpeg version none\n${script}\n`);
    await chmod(file(name), 0o755);
    return file(name);
  }

  async function askOf(at: TestApi, name: string, owner: Caller) {
    const form = new FormData();
    form.append('file', fileOf(await readFile(file(name))), name);
    return (await at.post(PATH, form, { key: owner.key })).body.data;
  }

  it('is compared by what it shows, be it short enough for memory or on the disk', async () => {
    const owner = await seeing.createCaller();
    expect(await askOf(seeing, 'smaller.mp4', owner)).toMatchObject({ compared: 'nothing', results: [] });
    await keep(seeing, owner);
    const sizes = await Promise.all(['smaller.mp4', 'larger.mov'].map(async (name) => (await stat(file(name))).size));
    expect(sizes.map((bytes) => bytes > 256 * 1024)).toEqual([false, true]);
    for (const name of ['smaller.mp4', 'larger.mov']) {
      const { compared, results } = await askOf(seeing, name, owner);
      expect([compared, results]).toEqual(['appearance', [expect.objectContaining({ task_id: 'task_film' })]]);
      expect(results[0]).toMatchObject({ kind: 'video', same_bytes: false });
    }
    expect(await askOf(seeing, 'other.mp4', owner)).toMatchObject({ compared: 'appearance', results: [] });
  });

  it('is compared by what it sounds like', async () => {
    const owner = await seeing.createCaller();
    const melody = (notes: number) =>
      `-f lavfi -i aevalsrc='sin(2*PI*220*pow(2,mod(floor(${notes}*abs(sin(floor(4*t)))),36)/12)*t)':d=6:s=44100`;
    await ffmpeg('made.wav', melody(97));
    await ffmpeg('other.wav', melody(131));
    await ffmpeg('quieter.mp3', `-i ${file('made.wav')} -af volume=-12dB -b:a 64k`);
    await keep(seeing, owner, { taskId: 'task_song', name: 'made.wav', contentType: 'audio/wav' });
    const same = { task_id: 'task_song', kind: 'audio', same_bytes: false };
    expect(await askOf(seeing, 'quieter.mp3', owner)).toMatchObject({ compared: 'appearance', results: [same] });
    expect(await askOf(seeing, 'other.wav', owner)).toMatchObject({ compared: 'appearance', results: [] });
  });

  it('is compared by its bytes alone where there is no ffmpeg, or it cannot be read, and the answer says so', async () => {
    const program = await programOf('fails', 'exit 1');
    const failing = await startTestApi({ ffmpegPath: program });
    try {
      for (const at of [api, failing]) {
        const owner = await at.createCaller();
        await keep(at, owner);
        expect(await askOf(at, 'smaller.mp4', owner)).toMatchObject({ compared: 'bytes', results: [] });
        const same = { task_id: 'task_film', same_bytes: true };
        expect(await askOf(at, 'made.mp4', owner)).toMatchObject({ compared: 'bytes', results: [same] });
      }
    } finally {
      await failing.stop();
    }
  });

  it('takes nothing of the disk where there is no ffmpeg to read it', async () => {
    const workFolder = file('work');
    await mkdir(workFolder);
    const blind = await startTestApi({ workFolder });
    try {
      await rm(workFolder, { recursive: true });
      await writeFile(workFolder, 'a file in its place');
      const owner = await blind.createCaller();
      await keep(blind, owner);
      expect(await askOf(blind, 'smaller.mp4', owner)).toMatchObject({ compared: 'bytes' });
    } finally {
      await blind.stop();
    }
  });

  it('is compared by its bytes where ffmpeg does not end in time, and the log says so', async () => {
    const program = await programOf('hangs', 'exec /usr/bin/tail -f /dev/null');
    const lines: unknown[] = [];
    const write = (event: string, fields?: object) => void lines.push([event, fields]);
    const logger: Logger = { ...createLogger({ service: 'api', level: 'silent' }), warn: write };
    const slow = await startTestApi({ ffmpegPath: program, times: { lookMs: 500 }, logger });
    try {
      const owner = await slow.createCaller();
      await keep(slow, owner);
      const same = { task_id: 'task_film', same_bytes: true };
      expect(await askOf(slow, 'made.mp4', owner)).toMatchObject({ compared: 'bytes', results: [same] });
      const detail = 'a file of video/mp4 is compared by its bytes';
      expect(lines).toContainEqual([
        'file.not_seen',
        { detail, error: expect.objectContaining({ name: 'TimeoutError' }) },
      ]);
    } finally {
      await slow.stop();
    }
  });

  it('is sampled one at a time', async () => {
    const program = await programOf(
      'alone',
      `/bin/mkdir ${file('runs')} || exit 1\nread line < ${file('gate')}\n/bin/rmdir ${file('runs')}`,
    );
    await promisify(execFile)('mkfifo', [file('gate')]);
    const opened = await openApiFfmpeg(program, { info: () => undefined, warn: () => undefined });
    const { signal } = new AbortController();
    const run = (accountId: string) => opened?.run([], { owner: { accountId }, signal });
    const runs = [run('one'), run('other')];
    const both = Promise.all(runs);
    // Opening a pipe waits for its other end. The second line is written when the first reader has ended: it would read both.
    for (const one of runs) await Promise.race([both, writeFile(file('gate'), 'go on\n').then(() => one)]);
    await both;
  });

  it('an ffmpeg that is of no use is none, and the log says so', async () => {
    const lines: unknown[] = [];
    const write = (event: string, fields?: object) => void lines.push([event, fields]);
    expect(await openApiFfmpeg('ffmpeg', { info: write, warn: write })).toBeUndefined();
    const detail = 'FFMPEG_PATH is ffmpeg, not an absolute path: videos and sounds are compared by their bytes';
    expect(lines).toEqual([['process.no_ffmpeg', { detail }]]);
  });
});

describe('POST /admin/v1/provenance/verify', () => {
  const OPERATORS = '/admin/v1/provenance/verify';

  it('compares a file with the results of all accounts, and says whose each is', async () => {
    const [one, other] = [await api.createCaller(), await api.createCaller()];
    await kept('task_z_one', signed, { ...ownerOf(one), flipped: 0n });
    await kept('task_z_other', signed, { ...ownerOf(other), flipped: 0b11n });
    const form = new FormData();
    form.append('file', fileOf(signed), 'a.png');
    const operator = await api.createOperator('support');
    const { status, body } = await api.post(OPERATORS, form, { key: operator });
    expect([status, body.data.content_type, body.data.sources]).toMatchObject([200, 'image/png', [{ valid: true }]]);
    expect(body.data.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ task_id: 'task_z_one', account_id: one.accountId, same_bytes: true, distance: 0 }),
        expect.objectContaining({ task_id: 'task_z_other', account_id: other.accountId, distance: 2 }),
      ]),
    );
  });

  it('leaves an entry in the audit log, and is not for the role read', async () => {
    const form = () => {
      const sent = new FormData();
      sent.append('file', fileOf(signed), 'a.png');
      return sent;
    };
    const subject = createHash('sha256').update(signed).digest('hex');
    const notes = () => api.database.auditLogEntry.count({ where: { action: 'file.verify', subject } });
    const before = await notes();
    expect((await api.post(OPERATORS, form(), { key: await api.createOperator('read') })).status).toBe(403);
    expect(await notes()).toBe(before);
    expect((await api.post(OPERATORS, form(), { key: await api.createOperator('support') })).status).toBe(200);
    expect(await notes()).toBe(before + 1);
  });

  it('finds an old result by its bytes or a quarter of its hash, where ten thousand of others are newer', async () => {
    const [owner, others] = [await api.createCaller(), await api.createCaller()];
    await kept('task_00_same', signed, { ...ownerOf(owner), flipped: 0n });
    await kept('task_00_alike', signed, { ...ownerOf(owner), flipped: 0b1011n });
    await fillUp(others);
    const form = new FormData();
    form.append('file', fileOf(signed), 'a.png');
    const { body } = await api.post(OPERATORS, form, { key: await api.createOperator('support') });
    const found = body.data.results.map((result: { task_id: string }) => result.task_id);
    expect(found).toEqual(expect.arrayContaining(['task_00_same', 'task_00_alike']));
  });

  it('401 and 400: asks for an operator’s token, and names what is wrong', async () => {
    expect((await api.post(OPERATORS, { url: 'x' }, { key: caller.key })).status).toBe(401);
    const { status, body } = await api.post(OPERATORS, {}, { key: await api.createOperator('support') });
    expect([status, body.error.param]).toEqual([400, 'url']);
  });
});

it('a suspended account has nothing read', async () => {
  const suspended = await api.createCaller();
  await api.database.account.update({ where: { id: suspended.accountId }, data: { state: 'suspended' } });
  const { status, body } = await ask(signed, suspended);
  expect([status, body.error.reason]).toEqual([403, 'account_suspended']);
});

it('takes a link of the service, by packages/client, too, and keeps nothing', async () => {
  const client = createClient({ baseUrl: api.url, apiKey: caller.key });
  const { url } = await client.uploadFile(new Blob([new Uint8Array(signed)]));
  const files = await api.database.mediaObject.count();
  expect(await client.verifyFile({ url })).toMatchObject({ sources: [{ valid: true }], results: [{}, {}] });
  expect(await client.verifyFile(new Uint8Array(signed))).toMatchObject({ sources: [{ valid: true }] });
  expect(await api.database.mediaObject.count()).toBe(files);
});

it.each<[what: string, body: object, param: string]>([
  ['no URL', {}, 'url'],
  ['what is no text', { url: 1 }, 'url'],
  ['a private address', { url: 'http://127.0.0.1:9/a.png' }, 'url'],
  ['a link that has no file', { url: `/v1/files/${'0'.repeat(26)}.png?expires=1&signature=x` }, 'url'],
])('400: %s', async (_what, body, param) => {
  const answer = await api.post(PATH, body, { key: caller.key });
  expect([answer.status, answer.body.error.param]).toEqual([400, param]);
});

it('415: says both forms in which a file may come', async () => {
  const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'image/png' };
  const answer = await fetch(`${api.url}${PATH}`, { method: 'POST', headers, body: new Uint8Array(signed) });
  const { error } = (await answer.json()) as { error: { message: string } };
  expect([answer.status, error.message]).toEqual([415, expect.stringMatching(/multipart.*json/)]);
});

it('400: names the file that is none', async () => {
  const { status, body } = await ask(Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1'));
  expect([status, body.error]).toMatchObject([400, { reason: 'bad_media', param: 'file' }]);
});
