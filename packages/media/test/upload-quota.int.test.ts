import { readdir } from 'node:fs/promises';
import { MediaStore, type StoredMedia, type UploadQuota, type UploadToSave } from '../src';
import { openStore } from './fixtures';

let scene: Awaited<ReturnType<typeof openStore>>;
let store: MediaStore;
let accounts = 0;
let owner: { accountId: string; keyId: string };

beforeAll(async () => {
  scene = await openStore();
  store = scene.store;
});
afterAll(() => scene.close());
beforeEach(() => {
  accounts += 1;
  owner = { accountId: `account_${accounts}`, keyId: `key_${accounts}` };
});

const AMPLE: UploadQuota = { storedBytes: 1e9, storedFiles: 1e6, dayBytes: 1e9, dayFiles: 1e6 };
const TEN_BYTES = Buffer.from('0123456789');

const upload = (change: Partial<UploadToSave> = {}): UploadToSave => ({
  ...owner,
  bytes: TEN_BYTES,
  contentType: 'image/png',
  lifetimeMs: 3_600_000,
  quotas: { account: AMPLE, key: AMPLE },
  ...change,
});

const kept = (settled: PromiseSettledResult<StoredMedia>[]) =>
  settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));

async function removeAll(uploads: readonly StoredMedia[]): Promise<void> {
  const ids = uploads.map(({ id }) => id);
  await scene.database.mediaObject.updateMany({
    where: { id: { in: ids } },
    data: { expiresAt: new Date(Date.now() - 1000) },
  });
  expect(await store.expireMedia(100)).toEqual({ removed: ids.length, errors: [] });
}

const yesterday = () =>
  scene.database.storageUsage.updateMany({ data: { day: new Date(Date.now() - 24 * 3_600_000) } });

describe('a quota of uploads', () => {
  const parts: [limit: keyof UploadQuota, value: number, slots: number][] = [
    ['storedBytes', 59, 5],
    ['storedFiles', 7, 7],
    ['dayBytes', 59, 5],
    ['dayFiles', 7, 7],
  ];
  const cases = (['account', 'key'] as const).flatMap((scope) => parts.map((part) => [scope, ...part] as const));

  it.each(cases)(
    'of one %s, %s %d, has slots for %d of thirty that come at once over two processes',
    async (...one) => {
      const [scope, limit, value, slots] = one;
      const other = scene.another();
      const elsewhere = new MediaStore({ ...scene, database: other });
      const quotas = { account: AMPLE, key: AMPLE, [scope]: { ...AMPLE, [limit]: value } };
      const rush = Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? store : elsewhere).saveUpload(upload({ quotas })),
      );
      const settled = await Promise.allSettled(rush);
      expect(kept(settled)).toHaveLength(slots);
      for (const outcome of settled) {
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ name: 'UploadQuotaError', scope, limit });
      }
      const rows = await scene.database.mediaObject.count({ where: { accountId: owner.accountId } });
      expect(rows).toBe(slots);
    },
  );

  it('keeps nothing of what it refuses', async () => {
    const quotas = { account: AMPLE, key: { ...AMPLE, storedFiles: 1 } };
    const before = await readdir(scene.root, { recursive: true });
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => store.saveUpload(upload({ quotas }))));
    expect(kept(settled)).toHaveLength(1);
    const files = (await readdir(scene.root, { recursive: true })).filter((name) => name.endsWith('.png'));
    expect(files.length - before.filter((name) => name.endsWith('.png')).length).toBe(1);
  });

  it('has slots again for what is kept at once when files have expired and gone, but not for what was sent that day', async () => {
    const quotas = { account: { ...AMPLE, storedFiles: 2 }, key: { ...AMPLE, dayFiles: 3 } };
    const first = [await store.saveUpload(upload({ quotas })), await store.saveUpload(upload({ quotas }))];
    await expect(store.saveUpload(upload({ quotas }))).rejects.toMatchObject({ limit: 'storedFiles' });
    await removeAll(first);
    await removeAll([await store.saveUpload(upload({ quotas }))]);
    await expect(store.saveUpload(upload({ quotas }))).rejects.toMatchObject({ scope: 'key', limit: 'dayFiles' });
    await yesterday();
    await store.saveUpload(upload({ quotas }));
  });

  it('counts a key for its account, and no other account', async () => {
    const quotas = { account: { ...AMPLE, storedBytes: 25 }, key: { ...AMPLE, storedBytes: 15 } };
    await store.saveUpload(upload({ quotas }));
    await expect(store.saveUpload(upload({ quotas }))).rejects.toMatchObject({ scope: 'key' });
    await store.saveUpload(upload({ quotas, keyId: 'second' }));
    await expect(store.saveUpload(upload({ quotas, keyId: 'third' }))).rejects.toMatchObject({ scope: 'account' });
    await store.saveUpload(upload({ quotas, accountId: 'account_of_another', keyId: 'another' }));
  });

  it('counts results of test keys until they are gone, together with uploads', async () => {
    const quotas = { account: { ...AMPLE, dayFiles: 0 }, key: { ...AMPLE, storedBytes: 20, dayFiles: 0 } };
    const result = { ...owner, purpose: 'result', bytes: TEN_BYTES, lifetimeMs: 3_600_000 } as const;
    const saved = [];
    for (let results = 0; results < 3; results += 1) {
      await store.requireQuota(owner, quotas);
      saved.push(await store.save({ ...result, contentType: 'image/png' }));
    }
    await expect(store.requireQuota(owner, quotas)).rejects.toMatchObject({ scope: 'key', limit: 'storedBytes' });
    await store.requireQuota({ ...owner, keyId: 'sibling' }, quotas);
    await removeAll(saved);
    await store.requireQuota(owner, quotas);
    expect(await scene.database.storageUsage.findMany({ where: { owner: { endsWith: owner.keyId } } })).toMatchObject([
      { storedBytes: 0n, storedFiles: 0 },
    ]);
  });

  it('counts no results of other keys, and survives the removal of uploads that were never counted', async () => {
    const quotas = { account: { ...AMPLE, storedFiles: 1 }, key: AMPLE };
    const result = { accountId: owner.accountId, purpose: 'result', bytes: TEN_BYTES, lifetimeMs: 3_600_000 } as const;
    await store.save({ ...result, contentType: 'image/png' });
    const counted = await store.saveUpload(upload({ quotas }));
    const uncounted = await store.save({ ...result, purpose: 'upload', contentType: 'image/png' });
    await removeAll([counted, uncounted]);
    await store.saveUpload(upload({ quotas }));
  });
});
