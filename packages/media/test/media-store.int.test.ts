import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { timeOrderedId } from '@mediagate/contracts';
import { runSql, withMethods } from '@mediagate/testkit';
import {
  INPUT_LIMITS,
  InputsFullError,
  MediaGoneError,
  MediaStore,
  type MediaToSave,
  ObjectMissingError,
  type Storage,
  StorageHealth,
} from '../src';
import { image, openStore } from './fixtures';

let scene: Awaited<ReturnType<typeof openStore>>;
let store: MediaStore;

beforeAll(async () => {
  scene = await openStore();
  store = scene.store;
});

afterAll(() => scene.close());
beforeEach(() => scene.database.mediaObject.deleteMany());

const HOUR_MS = 3_600_000;

const upload = (change: Partial<MediaToSave> = {}): MediaToSave => ({
  accountId: 'account_1',
  purpose: 'upload',
  bytes: Buffer.from('0123456789'),
  contentType: 'image/png',
  lifetimeMs: HOUR_MS,
  ...change,
});

/** As the passing of time would. */
const expire = (id: string) =>
  scene.database.mediaObject.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1_000) } });

const batches = () => scene.database.use().batches.get('media')?.batches ?? 0;

/** Nothing is in its storage until so many files are. */
function storeOfFilesThatEndTogether(count: number): MediaStore {
  let [stored, end] = [0, () => {}];
  const all = new Promise<void>((resolve) => {
    end = resolve;
  });
  const storage: Storage = {
    ...scene.storage,
    async put(...file) {
      await scene.storage.put(...file);
      stored += 1;
      if (stored === count) end();
      await all;
    },
  };
  return new MediaStore({ ...scene, storage });
}

describe('save', () => {
  it('saves a file from the disk as it would from memory, and leaves it there', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
    const file = path.join(folder, 'video');
    const bytes = randomBytes(3_000_000);
    await writeFile(file, bytes);
    const saved = await store.save(upload({ bytes: { path: file, totalBytes: bytes.length } }));
    expect(saved).toMatchObject({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect((await store.read(saved.id)).equals(bytes)).toBe(true);
    expect((await readFile(file)).equals(bytes)).toBe(true);
    const gone = store.save(upload({ bytes: { path: path.join(folder, 'none'), totalBytes: 1 } }));
    await expect(gone).rejects.toThrow('ENOENT');
    const beginning = await store.save(upload({ bytes: { path: file, totalBytes: 1 } }));
    expect(await store.read(beginning.id)).toEqual(bytes.subarray(0, 1));
    const more = store.save(upload({ bytes: { path: file, totalBytes: bytes.length + 1 } }));
    await expect(more).rejects.toThrow(`of the ${bytes.length + 1} bytes announced`);
    await rm(folder, { recursive: true });
  });

  it('keeps the bytes, what they are and whose, and gives a link that opens them', async () => {
    const bytes = await image('png');
    const saved = await store.save(upload({ bytes, taskId: 'task_1', purpose: 'result', width: 30, height: 20 }));
    expect(saved).toMatchObject({
      accountId: 'account_1',
      taskId: 'task_1',
      purpose: 'result',
      contentType: 'image/png',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      width: 30,
      height: 20,
      deletedAt: undefined,
    });
    expect(saved.url).toMatch(new RegExp(`^https://media\\.example/v1/files/${saved.id}\\.png\\?expires=`));
    await expect(store.find(saved.id)).resolves.toEqual(saved);
    await expect(store.read(saved.id)).resolves.toEqual(bytes);
    await expect(store.resolveOwnUrl(saved.url)).resolves.toEqual(saved);
  });

  it('sets an absolute expiry by the database’s clock, the same second that the link carries', async () => {
    const { createdAt, expiresAt, url } = await store.save(upload());
    const lifetimeMs = expiresAt.getTime() - createdAt.getTime();
    expect(lifetimeMs).toBeGreaterThan(HOUR_MS - 1_000);
    expect(lifetimeMs).toBeLessThanOrEqual(HOUR_MS);
    expect(expiresAt.getMilliseconds()).toBe(0);
    expect(new URL(url).searchParams.get('expires')).toBe(String(expiresAt.getTime() / 1_000));
  });

  it('writes rows of files that come together by few statements, each its own', async () => {
    const files = Array.from({ length: 40 }, (_, index) => upload({ bytes: Buffer.from(`file ${index}`) }));
    const together = storeOfFilesThatEndTogether(files.length);
    const before = batches();
    const saved = await Promise.all(files.map((file) => together.save(file)));
    expect(batches() - before).toBeLessThan(10);
    for (const [index, { id, sha256 }] of saved.entries()) {
      const bytes = files[index]?.bytes as Buffer;
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      await expect(together.read(id)).resolves.toEqual(bytes);
    }
  });

  it('writes the rows of all others beside one that is refused', async () => {
    const together = storeOfFilesThatEndTogether(3);
    const widths = [10, 2 ** 40, 20];
    const saves = await Promise.allSettled(widths.map((width) => together.save(upload({ width }))));
    expect(saves.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(scene.database.mediaObject.count()).resolves.toBe(2);
  });

  it('leaves no row when the bytes could not be stored', async () => {
    const full = { ...scene.storage, put: () => Promise.reject(new Error('disk full')) };
    const broken = new MediaStore({ ...scene, storage: full });
    await expect(broken.save(upload())).rejects.toThrow('disk full');
    await expect(scene.database.mediaObject.count()).resolves.toBe(0);
  });
});

describe('save, when the row cannot be written,', () => {
  const refuse = () => Promise.reject(new Error('no database'));
  const refusing = () => withMethods(scene.database, { insertMedia: refuse, recordUpload: refuse });

  it('takes the bytes away again', async () => {
    const keys: string[] = [];
    const storage: Storage = {
      ...scene.storage,
      put: (key, body, facts) => {
        keys.push(key);
        return scene.storage.put(key, body, facts);
      },
    };
    const broken = new MediaStore({ ...scene, storage, database: refusing() });
    await expect(broken.save(upload())).rejects.toThrow('no database');
    expect(keys).toHaveLength(1);
    await expect(scene.storage.open(String(keys[0]))).rejects.toBeInstanceOf(ObjectMissingError);
  });

  it('reports the row, even if the bytes cannot be deleted', async () => {
    const storage: Storage = { ...scene.storage, remove: () => Promise.reject(new Error('busy')) };
    const broken = new MediaStore({ ...scene, storage, database: refusing() });
    await expect(broken.save(upload())).rejects.toThrow('no database');
  });
});

describe('open', () => {
  it('reads a range', async () => {
    const { id } = await store.save(upload());
    expect(await text(await store.open(id, { start: 3, end: 5 }))).toBe('345');
  });

  it('says that an object is gone, whether it never was, was removed or lost its bytes', async () => {
    const lost = await store.save(upload());
    const [row] = await scene.database.mediaObject.findMany();
    await scene.storage.remove(row?.storageKey ?? '');
    const removed = await store.save(upload());
    await expire(removed.id);
    await store.expireMedia(10);
    for (const id of [lost.id, removed.id, timeOrderedId()]) {
      await expect(store.open(id)).rejects.toBeInstanceOf(MediaGoneError);
    }
    await expect(store.find(timeOrderedId())).resolves.toBeUndefined();
  });
});

describe('our own links', () => {
  it('resolve only when genuine, unexpired and not removed', async () => {
    const saved = await store.save(upload());
    const { id } = saved;
    const sign = (expiresAt: Date) => scene.links.sign({ id, extension: 'png', expiresAt });
    await expect(store.resolveOwnUrl(saved.url.replace(/.$/, '~'))).resolves.toBeUndefined();
    await expect(store.resolveOwnUrl(sign(new Date(Date.now() - 1_000)))).resolves.toBeUndefined();
    await expect(store.resolveOwnUrl('https://elsewhere.example/x.png')).resolves.toBeUndefined();
    expect([saved.url, 'https://elsewhere.example/x.png'].map((url) => store.ownsUrl(url))).toEqual([true, false]);
    await expire(id);
    await store.expireMedia(10);
    await expect(store.resolveOwnUrl(sign(new Date(Date.now() + 60_000)))).resolves.toBeUndefined();
  });
});

describe('expireMedia', () => {
  it('tries again what the storage would not remove, without holding up the rest', async () => {
    const [stuck, easy] = [await store.save(upload()), await store.save(upload())];
    await Promise.all([stuck, easy].map(({ id }) => expire(id)));
    const storage: Storage = {
      ...scene.storage,
      remove: (key) => (key.includes(stuck.id) ? Promise.reject(new Error('busy')) : scene.storage.remove(key)),
    };
    const hampered = new MediaStore({ ...scene, storage });
    await expect(hampered.expireMedia(10)).resolves.toMatchObject({ removed: 1, errors: [{ message: 'busy' }] });
    await expect(store.expireMedia(10)).resolves.toEqual({ removed: 1, errors: [] });
  });

  it('comes to what expired later, however many before it cannot be removed, and back to those', async () => {
    const saved = [];
    for (let count = 0; count < 5; count += 1) saved.push(await store.save(upload()));
    const stuck = new Set(saved.slice(0, 3).map(({ id }) => id));
    for (const [index, { id }] of saved.entries()) {
      const expiresAt = new Date(Date.now() - 60_000 + index * 1_000);
      await scene.database.mediaObject.update({ where: { id }, data: { expiresAt } });
    }
    const isStuck = (key: string) => [...stuck].some((id) => key.includes(id));
    const remove = (key: string) => (isStuck(key) ? Promise.reject(new Error('busy')) : scene.storage.remove(key));
    const hampered = new MediaStore({ ...scene, storage: { ...scene.storage, remove } });
    const runs = [await hampered.expireMedia(2), await hampered.expireMedia(2), await hampered.expireMedia(2)];
    expect(runs.map(({ removed, errors }) => [removed, errors.length])).toEqual([
      [0, 2],
      [1, 1],
      [1, 0],
    ]);
    stuck.clear();
    const later = [await hampered.expireMedia(2), await hampered.expireMedia(2)];
    expect(later.map(({ removed }) => removed)).toEqual([2, 1]);
  });

  it('may run twice at once', async () => {
    const saved = await Promise.all(Array.from({ length: 4 }, () => store.save(upload())));
    await Promise.all(saved.map(({ id }) => expire(id)));
    const runs = await Promise.all([store.expireMedia(10), store.expireMedia(10)]);
    expect(runs.flatMap(({ errors }) => errors)).toEqual([]);
    await expect(scene.database.mediaObject.count({ where: { deletedAt: null } })).resolves.toBe(0);
  });
});

describe('objects without a row', () => {
  const WEEK_MS = 7 * 24 * HOUR_MS;
  const keyOf = (ageMs: number, prefix = 'uploads/') => `${prefix}${timeOrderedId(Date.now() - ageMs)}.png`;

  async function put(key: string): Promise<string> {
    await scene.storage.put(key, Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
    return key;
  }

  /** Puts an object that has a row of its own. */
  async function save(key: string, deletedAt: Date | null = null): Promise<string> {
    const { id } = await store.save(upload());
    await scene.database.mediaObject.update({ where: { id }, data: { storageKey: await put(key), deletedAt } });
    return key;
  }

  /** Looks through the whole storage once, and sums up the results. */
  async function removeAll(from = new MediaStore(scene)) {
    const sum = { removed: 0, errors: [] as unknown[], others: new Set<string>() };
    const folders = await readdir(path.join(scene.root, 'objects'));
    // The first look adds the folder that the mark of the deployment stands in.
    for (let part = 0; part < 4 * (folders.length + 1); part += 1) {
      const { removed, errors, others } = await from.strayObjects.removeNext();
      sum.removed += removed;
      sum.errors.push(...errors);
      for (const mark of others) sum.others.add(mark);
    }
    return { ...sum, others: [...sum.others] };
  }

  const isThere = (key: string) =>
    scene.storage.open(key).then(
      (body) => body.destroy() !== undefined,
      () => false,
    );

  async function ownMark(): Promise<string> {
    const [beginning] = await scene.database.readBeginning();
    return `deployments/${beginning?.at.toISOString().toLowerCase().replaceAll(':', '.')}`;
  }

  it('go when they are a week old, and nothing that has a row, is younger, or was not made here', async () => {
    const prefixes = ['uploads/', 'results/', 'incoming/'];
    const strays = await Promise.all(prefixes.map((prefix) => put(keyOf(WEEK_MS + HOUR_MS, prefix))));
    const outlived = await save(keyOf(WEEK_MS + HOUR_MS), new Date(Date.now() - 1000));
    const kept = await Promise.all([
      save(keyOf(WEEK_MS + HOUR_MS)),
      put(keyOf(WEEK_MS - HOUR_MS)),
      put('uploads/0-of-the-operator.png'),
      put(keyOf(WEEK_MS + HOUR_MS, 'backups/')),
    ]);
    expect(await removeAll()).toEqual({ removed: 4, errors: [], others: [] });
    expect(await Promise.all([...strays, outlived].map(isThere))).toEqual([false, false, false, false]);
    expect(await Promise.all(kept.map(isThere))).toEqual([true, true, true, true]);
    expect(await removeAll()).toEqual({ removed: 0, errors: [], others: [] });
  });

  it('stay while another deployment keeps files in the same storage, whichever of them came first, and go once it is gone', async () => {
    const stray = await put(keyOf(2 * WEEK_MS));
    const [first, last] = ['deployments/2020-02-02t00.00.00.000z', 'deployments/2220-02-02t00.00.00.000z'] as const;
    for (const mark of [last, first]) await put(mark);
    const { removed, others } = await removeAll();
    expect([removed, others]).toEqual([0, [first, last]]);
    await scene.storage.remove(first);
    expect((await removeAll()).others).toEqual([last]);
    expect(await isThere(stray)).toBe(true);
    await scene.storage.remove(last);
    expect((await removeAll()).errors).toEqual([]);
    expect(await isThere(stray)).toBe(false);
  });

  it('go in a storage that has the mark of this deployment alone, after a restart, too', async () => {
    await removeAll();
    await put(keyOf(2 * WEEK_MS));
    expect(await removeAll(new MediaStore(scene))).toEqual({ removed: 1, errors: [], others: [] });
    expect(await isThere(await ownMark())).toBe(true);
  });

  it('are looked for in rounds, with each of which the own mark is left anew and others are looked for once', async () => {
    const other = await put('deployments/2020-02-02t00.00.00.000z');
    for (const ageMs of [2 * WEEK_MS, 2 * WEEK_MS + 5000]) await put(keyOf(ageMs));
    const begun: string[] = [];
    const list: Storage['list'] = (options) => {
      if (options.place === undefined) begun.push(options.prefix);
      return scene.storage.list(options);
    };
    const { strayObjects } = new MediaStore({ ...scene, storage: { ...scene.storage, list } });
    const round = ['deployments/', 'results/', 'uploads/', 'inputs/', 'incoming/'];
    while (begun.at(-1) !== 'incoming/') await strayObjects.removeNext();
    expect(begun).toEqual(round);
    const mark = await ownMark();
    await scene.storage.remove(mark);
    while (begun.at(-1) !== 'results/') await strayObjects.removeNext();
    expect([begun, await isThere(mark)]).toEqual([[...round, 'deployments/', 'results/'], true]);
    await scene.storage.remove(other);
    expect((await removeAll()).removed).toBe(2);
  });

  it('stay where the storage refuses the mark of this deployment, and nothing else is kept from it', async () => {
    const stray = await put(keyOf(2 * WEEK_MS));
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    const refuse: Storage['put'] = (key, ...file) =>
      key.startsWith('deployments/') ? Promise.reject(denied) : scene.storage.put(key, ...file);
    const onChange = jest.fn();
    const health = new StorageHealth({ places: [{ place: 'storage', probe: async () => undefined }], onChange });
    const { strayObjects } = new MediaStore({ ...scene, health, storage: { ...scene.storage, put: refuse } });
    const refused = { removed: 0, errors: [], others: [], unmarked: denied };
    expect([await strayObjects.removeNext(), await strayObjects.removeNext()]).toEqual([refused, refused]);
    expect([onChange.mock.calls, await isThere(stray)]).toEqual([[], true]);
    expect((await removeAll()).removed).toBe(1);
  });

  it('come again where the storage would not remove them', async () => {
    const [stuck, easy] = [await put(keyOf(2 * WEEK_MS)), await put(keyOf(2 * WEEK_MS))];
    const remove = (key: string) => (key === stuck ? Promise.reject(new Error('busy')) : scene.storage.remove(key));
    const hampered = new MediaStore({ ...scene, storage: { ...scene.storage, remove } });
    expect((await removeAll(hampered)).errors).toEqual([new Error('busy')]);
    expect(await Promise.all([easy, stuck].map(isThere))).toEqual([false, true]);
    expect(await removeAll()).toEqual({ removed: 1, errors: [], others: [] });
  });

  it('stay where only the clock of the process says that they are old', async () => {
    const young = await put(keyOf(HOUR_MS));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * WEEK_MS);
    const looked = await removeAll().finally(() => clock.mockRestore());
    expect(looked).toEqual({ removed: 0, errors: [], others: [] });
    expect(await isThere(young)).toBe(true);
  });

  it('stay while the database does not say that they have none', async () => {
    const stray = await put(keyOf(2 * WEEK_MS));
    const silent = withMethods(scene.database, { findKeptObjects: () => Promise.reject(new Error('no database')) });
    await expect(removeAll(new MediaStore({ ...scene, database: silent }))).rejects.toThrow('no database');
    expect(await isThere(stray)).toBe(true);
  });
});

describe('pruneMedia', () => {
  const DAY_MS = 24 * HOUR_MS;

  /** The row of an object that was made and removed so many days ago; `removedDaysAgo` undefined: not removed. */
  async function rowOf(madeDaysAgo: number, removedDaysAgo?: number): Promise<string> {
    const { id } = await store.save(upload());
    const oldId = timeOrderedId(Date.now() - madeDaysAgo * DAY_MS);
    const deletedAt = removedDaysAgo === undefined ? null : new Date(Date.now() - removedDaysAgo * DAY_MS);
    await scene.database.mediaObject.update({ where: { id }, data: { id: oldId, deletedAt } });
    return oldId;
  }

  const idsLeft = async () => (await scene.database.mediaObject.findMany()).map(({ id }) => id).sort();

  it('deletes the rows of what was removed 30 days ago, and no other', async () => {
    const kept = [await rowOf(400, 29), await rowOf(90), await rowOf(1)];
    await rowOf(400, 31);
    await rowOf(32, 31);
    await expect(store.pruneMedia(10)).resolves.toBe(2);
    expect(await idsLeft()).toEqual(kept.sort());
  });

  it('deletes no more than its limit at a time', async () => {
    for (let count = 0; count < 3; count += 1) await rowOf(60, 40);
    const runs = [await store.pruneMedia(2), await store.pruneMedia(2), await store.pruneMedia(2)];
    expect(runs).toEqual([2, 1, 0]);
  });
});

describe('inputs', () => {
  const input = (taskId: string, bytes = Buffer.from('0123456789')) => ({
    accountId: `account_of_${taskId}`,
    keyId: `key_of_${taskId}`,
    taskId,
    bytes,
    contentType: 'image/png',
    lifetimeMs: HOUR_MS,
  });
  const storedBytes = async (taskId: string) => {
    const owner = `inputs:account_of_${taskId}`;
    return (await scene.database.storageUsage.findUnique({ where: { owner } }))?.storedBytes;
  };

  it('stores and counts once what two processes bring together', async () => {
    const [written, removed]: [string[], string[]] = [[], []];
    const puts = new EventEmitter();
    const put: Storage['put'] = async (key, ...rest) => {
      await scene.storage.put(key, ...rest);
      if (written.push(key) === 2) puts.emit('both');
      else await once(puts, 'both');
    };
    const remove: Storage['remove'] = async (key) => void removed.push(key);
    const storage = { ...scene.storage, put, remove };
    const stores = [1, 2].map(() => new MediaStore({ ...scene, storage }));
    const [first, second] = await Promise.all(stores.map((each) => each.inputs.save(input('task_together'))));
    expect(second?.url).toBe(first?.url);
    expect(await scene.database.mediaObject.count({ where: { taskId: 'task_together' } })).toBe(1);
    expect(removed).toEqual(written.filter((key) => !key.includes(String(first?.id))));
    expect(removed).toHaveLength(1);
    expect(await storedBytes('task_together')).toBe(10n);
  });

  it('refuses also the first file of an account that is too large', async () => {
    const file = { ...input('task_first'), id: timeOrderedId(), storageKey: 'inputs/first', bytes: 11 };
    const facts = { ...file, sha256: Buffer.alloc(32), width: null, height: null };
    const limits = { accountBytes: 10, keyBytes: 100 };
    expect(await scene.database.insertTaskInput(facts, limits)).toEqual([]);
    expect(await scene.database.mediaObject.count({ where: { taskId: 'task_first' } })).toBe(0);
    expect(await storedBytes('task_first')).not.toBe(11n);
  });

  it('lets a key take its share of the account’s space and no more, whatever it sends at once', async () => {
    const limits = { accountBytes: 100, keyBytes: 10 };
    const facts = (id: string, keyId: string) => ({
      ...input('task_shares'),
      id: timeOrderedId(),
      storageKey: `inputs/${id}`,
      bytes: 6,
      sha256: Buffer.from(id),
      keyId,
      width: null,
      height: null,
    });
    const files = [facts('one', 'key_1'), facts('two', 'key_1'), facts('three', 'key_2')];
    const kept = (await Promise.all(files.map((file) => scene.database.insertTaskInput(file, limits)))).flat();
    expect(kept.map(({ keyId }) => keyId).sort()).toEqual(['key_1', 'key_2']);
    const full = async (keyId: string, bytes: number) =>
      (await scene.database.areInputsFull({ accountId: 'account_of_task_shares', keyId }, bytes, limits))[0]?.full;
    expect([await full('key_1', 4), await full('key_1', 5), await full('key_3', 10)]).toEqual([false, true, false]);
    expect(await full('key_3', 89)).toBe(true);
  });

  it('keeps 10,000 files of a key at once and no more, but for those that an attempt in doubt needs', async () => {
    const limits = { accountBytes: 1_000_000, keyBytes: 1_000_000 };
    const file = (keyId: string) => ({
      ...input('task_many'),
      id: timeOrderedId(),
      storageKey: `inputs/${timeOrderedId()}`,
      bytes: 1,
      sha256: Buffer.from(timeOrderedId()),
      keyId,
      width: null,
      height: null,
    });
    expect(await scene.database.insertTaskInput(file('key_many'), limits)).toHaveLength(1);
    await runSql(
      scene.database,
      `insert into media_objects (id, account_id, key_id, task_id, purpose, storage_key, content_type, bytes, sha256, is_counted, expires_at)
       select 'many_' || i, m.account_id, m.key_id, 'task_' || i, m.purpose, m.storage_key || i, m.content_type, 1, m.sha256, true, m.expires_at
       from media_objects m, generate_series(1, 9999) i where m.key_id = 'key_many'`,
      [],
    );
    expect(await scene.database.insertTaskInput(file('key_many'), limits)).toEqual([]);
    const owner = { accountId: 'account_of_task_many', keyId: 'key_many' };
    expect(await scene.database.areInputsFull(owner, 1, limits)).toEqual([{ full: true }]);
    expect(await scene.database.insertTaskInput(file('key_few'), limits)).toHaveLength(1);
    expect(await scene.database.insertTaskInput(file('key_many'), { accountBytes: 1_000_000 })).toHaveLength(1);
    await scene.database.mediaObject.deleteMany({ where: { keyId: { in: ['key_many', 'key_few'] } } });
  });

  it('does not write what there is no space for', async () => {
    const puts: string[] = [];
    const put: Storage['put'] = async (key) => void puts.push(key);
    const cramped = new MediaStore({ ...scene, storage: { ...scene.storage, put } });
    const owner = 'inputs:account_of_task_cramped';
    const storedBytes = INPUT_LIMITS.accountBytes - 9;
    await scene.database.storageUsage.create({ data: { owner, day: new Date(), storedBytes } });
    const cramp = input('task_cramped');
    expect([await cramped.inputs.takes(cramp, 9), await cramped.inputs.takes(cramp, 10)]).toEqual([true, false]);
    await expect(cramped.inputs.save(cramp)).rejects.toThrow(InputsFullError);
    expect(puts).toEqual([]);
  });

  it('gives back what was counted, and nothing of files from before there was a count', async () => {
    const former = await store.save({ ...input('task_former', Buffer.from('before')), purpose: 'input' });
    const counted = await store.inputs.save(input('task_former'));
    await scene.database.markMediaDeleted([former.id]);
    expect(await storedBytes('task_former')).toBe(10n);
    await scene.database.markMediaDeleted([counted.id]);
    expect(await storedBytes('task_former')).toBe(0n);
  });
});
