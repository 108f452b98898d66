import { canOpenSmallDisk, openSmallDisk, type SmallDisk, until } from '@mediagate/testkit';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';
import { fileOf, pngOf } from '../../../../test/test-images';

let disk: SmallDisk;
let api: TestApi;
let caller: Caller;

beforeAll(async () => {
  disk = await openSmallDisk();
  await disk.fill();
  api = await startTestApi({ home: disk.path, times: { storagePatienceMs: 300 } });
  caller = await api.createCaller();
});
afterAll(async () => {
  await api.stop();
  await disk.close();
});

function upload() {
  const form = new FormData();
  form.append('file', fileOf(pngOf(8, 8)), 'a.png');
  return form;
}

const submit = () =>
  api.post('/v1/images/generations', { model: 'imagegen-2.5-flare', prompt: 'a boat' }, { key: caller.key });

const untilReady = () => until(async () => (await api.failingChecks()).length === 0, 'the process is ready');

(canOpenSmallDisk() ? describe : describe.skip)('an API whose storage is full', () => {
  it('starts, is not ready, and answers 503 to uploads at once and to tasks after a while, keeping nothing of them', async () => {
    expect(await api.failingChecks()).toEqual(['storage']);
    const rows = await api.countRows();
    for (const path of ['/v1/files', '/v1/uploads/images']) {
      const { status, body, headers } = await api.post(path, upload(), { key: caller.key });
      expect([path, status, body.error.reason]).toEqual([path, 503, 'service_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    const refused = await submit();
    expect([refused.status, refused.body.error.reason]).toEqual([503, 'service_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await api.countRows()).toEqual(rows);
  });

  it('serves both again once there is space, by itself', async () => {
    await disk.empty();
    await untilReady();
    expect((await api.post('/v1/files', upload(), { key: caller.key })).status).toBe(200);
    expect((await submit()).status).toBe(200);
  });

  it('answers 503 to the upload that finds it full, before any probe has', async () => {
    await disk.fill();
    const { status, body } = await api.post('/v1/files', upload(), { key: caller.key });
    expect([status, body.error.reason]).toEqual([503, 'service_unavailable']);
    expect(await api.failingChecks()).toEqual(['storage']);
    await disk.empty();
    await untilReady();
  });
});
