import { taskError } from '@mediagate/billing';
import { type JsonObject, newTaskId, type TaskId } from '@mediagate/contracts';
import { attemptDelivery, type Bucket, openBucket } from '@mediagate/testkit';
import { acceptUpstream, finishImgtool, GRID } from './imgtool-tasks';
import { type Belongings, MARK, PROBED, type Probe } from './scope-probes';
import { ALLOWED_ORIGIN, type Answer, type Caller, SMALL_IMAGE, startTestApi, type TestApi } from './test-api';
import { fileOf, pngOf } from './test-images';
import { answer, openTextVendor, says, type TextVendor } from './text-upstream';

const NO_LIMIT = 1_000_000;

let api: TestApi;
let bucket: Bucket;
let vendor: TextVendor;
let manager: Caller;
let sibling: Caller;
let owned: Belongings;
/** How it stands with what is owned before anybody asks for it. */
let untouched: Awaited<ReturnType<typeof standing>>;

beforeAll(async () => {
  bucket = await openBucket();
  vendor = await openTextVendor(says(answer('So that they are told apart.')));
  const models = new Map([['text-2.5-flash', 'vendor-flash']]);
  api = await startTestApi({
    storage: { ...bucket.storage, redirectDownloads: false, readFolder: false },
    textChannels: [vendor.channel({ models })],
  });
  manager = await api.createCaller({ canManage: true });
  sibling = await madeBy(manager);
  owned = await makeWork(sibling);
  untouched = await standing();
});
afterAll(async () => {
  await api.stop();
  await vendor.close();
  await bucket.close();
});

async function madeBy(maker: Caller, fields: JsonObject = {}): Promise<Caller> {
  const limits = { submit_per_minute: NO_LIMIT, query_per_minute: NO_LIMIT };
  const { status, body } = await api.post('/v1/keys', { ...limits, ...fields }, { key: maker.key });
  expect([status, body.error]).toEqual([200, undefined]);
  return { key: body.data.key, keyId: body.data.id, accountId: maker.accountId };
}

async function submit(path: string, body: JsonObject, { key }: Caller, headers = {}): Promise<TaskId> {
  const sent = await api.post(path, { ...body, metadata: { secret: MARK } }, { key, headers });
  expect([sent.status, sent.body.error]).toEqual([200, undefined]);
  return sent.body.data[0].task_id;
}

/** One of each that a key can make. */
async function makeWork(caller: Caller): Promise<Belongings> {
  const { key, keyId } = caller;
  const image = { ...SMALL_IMAGE, prompt: MARK };
  const webhook = `${ALLOWED_ORIGIN}/hooks`;
  const ended = await submit('/v1/images/generations', { ...image, webhook }, caller, { 'idempotency-key': MARK });
  await refuseCallback(ended);
  const open = await submit('/v1/images/generations', image, caller);
  const grid = await submit('/v1/imgtool/generations', { prompt: MARK }, caller);
  await finishImgtool(api, grid, GRID);
  await submit('/v1/imgtool/generations/upscale', { task_id: grid, index: 1 }, caller);
  const track = await makeTrack(caller);
  const form = new FormData();
  form.append('file', fileOf(pngOf(512, 512)), 'a.png');
  const sent = await api.post('/v1/files', form, { key });
  const announced = await api.post('/v1/files/presign', { bytes: 100 }, { key });
  return { ended, open, grid, track, file: sent.body.data.id, incoming: announced.body.data.id, keyId };
}

async function refuseCallback(taskId: TaskId): Promise<void> {
  const outcome = { kind: 'failed', error: taskError('timeout') } as const;
  await api.end(taskId, outcome);
  const { id } = await api.database.webhookDelivery.findUniqueOrThrow({ where: { taskId } });
  await attemptDelivery(api.database, id, { httpStatus: 410, state: 'rejected', reason: 'http_410' });
}

async function makeTrack(caller: Caller): Promise<TaskId> {
  const taskId = await submit('/v1/music/generations', { gpt_description: MARK }, caller);
  await acceptUpstream(api, taskId, { channelId: 'music-ttapi', protocol: 'ttapi-suno' });
  const track = { audio_id: 'clip-1', title: MARK, lyrics: '', tags: '', duration: 120.5, expires_at: 4_000_000_000 };
  const result = { music: [{ ...track, audio_url: 'https://media.example/1.mp3', image_url: '' }] };
  const outcome = { kind: 'completed', costNano: 1n, result } as const;
  await api.end(taskId, outcome);
  return taskId;
}

/** Nothing has these ids. Tasks are so old that nobody waits for them. */
function nobodys(): Belongings {
  const task = () => newTaskId(Date.now() - 3_600_000);
  const none = '0'.repeat(26);
  return {
    ended: task(),
    open: task(),
    grid: task(),
    track: task(),
    file: `file_${none}`,
    incoming: `file_${none}`,
    keyId: '0'.repeat(12),
  };
}

async function ask({ method, path, body }: Probe, { key }: Caller): Promise<Answer> {
  if (method === 'GET') return api.get(path, { key });
  return body === undefined ? api.get(path, { method, key }) : api.post(path, body, { method, key });
}

/** The answer without what differs between requests: the request's id, and the ids that it asked for. */
function comparable({ status, body }: Answer, asked: Belongings): string {
  let text = JSON.stringify(body).replace(/"request_id":"[^"]*"/g, '');
  for (const [name, id] of Object.entries(asked)) text = text.replaceAll(id, `{${name}}`);
  return `${status} ${text}`;
}

/** Words of the work that must stay hidden but are in the answer. */
function seen({ body }: Answer, sentText: string): string[] {
  const text = JSON.stringify(body);
  return [MARK, 'media.example', ...Object.values(owned)].filter(
    (word) => text.includes(word) && !sentText.includes(word),
  );
}

async function standing() {
  const { ended, open, grid, track, file, keyId } = owned;
  const select = { status: true, cancelRequestedAt: true } as const;
  const [tasks, deliveries, key, media] = await Promise.all([
    api.database.task.findMany({ where: { id: { in: [ended, open, grid, track] } }, select, orderBy: { id: 'asc' } }),
    api.database.webhookDelivery.findMany({ where: { taskId: ended } }),
    api.database.apiKey.findUniqueOrThrow({ where: { id: keyId }, select: { name: true, revokedAt: true } }),
    api.get(`/v1/files/${file}`, { key: sibling.key }),
  ]);
  return { tasks, deliveries, key, file: media.status };
}

/** Whether the path names something that the caller does not have, so that it leads nowhere. */
const namesOne = ({ path }: Probe) => Object.values(owned).some((id) => path.split('?')[0]?.split('/').includes(id));

const STRANGER = 'a key of another account';

type MakeCaller = () => Promise<Caller>;
const inAccount = (options: Parameters<TestApi['createCaller']>[0]) =>
  api.createCaller({ accountId: manager.accountId, scope: 'own', ...options });

/** Keys of the account that see their own work alone, and one of another account, which sees all of its own. */
const CALLERS: [who: string, make: MakeCaller][] = [
  ['a key that the same key made', () => madeBy(manager)],
  ['one that is limited to a family', () => madeBy(manager, { families: ['image'] })],
  ['one of tests', () => madeBy(manager, { mode: 'test' })],
  ['one that an operator made', () => inAccount({})],
  ['one that manages', () => inAccount({ canManage: true })],
  [
    'one that another key made, whose maker sees its own work alone',
    async () => madeBy(await inAccount({ canManage: true })),
  ],
  [
    'one that had all of the account, until its maker had not',
    async () => {
      const maker = await inAccount({ canManage: true, scope: 'account' });
      const caller = await madeBy(maker, { scope: 'account' });
      await api.database.apiKey.update({ where: { id: maker.keyId }, data: { scope: 'own' } });
      return caller;
    },
  ],
  [STRANGER, () => api.createCaller({ canManage: true })],
];

describe.each(CALLERS)('%s', (who, make) => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await make();
    // Records of ended tasks are kept in memory once they were read.
    for (const id of [owned.grid, owned.track]) await api.get(`/v1/tasks/${id}`, { key: sibling.key });
  });

  it.each(PROBED)('$entry: finds and changes nothing of the other', async ({ scope, manages, probesOf }) => {
    const none = nobodys();
    const asOfNobody = probesOf(none);
    for (const [index, probe] of probesOf(owned).entries()) {
      const found = await ask(probe, caller);
      expect([probe.path, seen(found, JSON.stringify(probe))]).toEqual([probe.path, []]);
      if (namesOne(probe) && (!manages || who === STRANGER))
        expect([probe.path, found.status]).toEqual([probe.path, 404]);
      if (scope === 'own') {
        const unknown = await ask(asOfNobody[index] as Probe, caller);
        expect(comparable(found, owned)).toBe(comparable(unknown, none));
      } else if (who !== STRANGER) expect([probe.path, found.status]).toEqual([probe.path, 403]);
    }
    expect(await standing()).toEqual(untouched);
  });
});

it.each([
  ['a key of the scope `account`', () => api.createCaller({ accountId: manager.accountId, canManage: true })],
  ['the key that made it, which sees its own work alone', async () => inAccount({ canManage: true })],
])('%s finds the same: no probe asks in vain', async (who, make) => {
  const caller = await make();
  const isMaker = who.startsWith('the key');
  const child = await madeBy(isMaker ? caller : manager);
  const work = await makeWork(child);
  const none = nobodys();
  const inVain: string[] = [];
  for (const { entry, scope, manages, probesOf } of PROBED) {
    const asOfNobody = probesOf(none);
    for (const [index, probe] of probesOf(work).entries()) {
      const unknown = await ask(asOfNobody[index] as Probe, caller);
      const found = await ask(probe, caller);
      const text = JSON.stringify(found.body);
      const isSeen =
        comparable(found, work) !== comparable(unknown, none) || [MARK, work.keyId].some((word) => text.includes(word));
      const isOfAll = scope === 'account' && manages;
      const isRight = scope === 'account' ? (found.status === 403) === isMaker : isSeen;
      if (!isRight && !(isOfAll && found.status === 404)) inVain.push(`${entry} ${probe.path} ${found.status} ${text}`);
    }
  }
  expect(inVain).toEqual([]);
});
