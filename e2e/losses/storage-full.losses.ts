import { canOpenSmallDisk, openSmallDisk, type SmallDisk, until } from '@mediagate/testkit';
import { judgedFetch } from '../system/judged-answers';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const SERVICES = ['api', 'image', 'reconciler'] as const;
const IMAGE = { model: 'imageseed-4.0', prompt: 'a quay' };
const MADE_WHILE_FULL = 6;

const itWithDisk = canOpenSmallDisk() ? it : it.skip;
let disk: SmallDisk;
let system: System<(typeof SERVICES)[number]>;
let account: SystemAccount;
beforeAll(async () => {
  disk = await openSmallDisk();
  const env = { MEDIAGATE_HOME: disk.path, STORAGE_MIN_FREE_MB: '1' };
  system = await startSystem({ services: SERVICES, env });
  account = await system.account(10_000_000_000n);
});
afterAll(async () => {
  await system?.stop();
  await disk.close();
});

const calls = async () => (await system.simulator.journal()).filter(({ prompt }) => prompt === IMAGE.prompt);
const works = async () => {
  const metrics = await (await fetch(system.services.image.metricsUrl)).text();
  return metrics.includes('mediagate_storage_works{place="storage"} 1');
};

itWithDisk(
  'on a full disk no vendor is asked for an image, and with space again each is made, stored and charged once',
  async () => {
    await disk.fill();
    await until(async () => !(await works()));
    const ids = await Promise.all(Array.from({ length: MADE_WHILE_FULL }, () => account.caller.submit(IMAGE)));
    const rows = () => system.database.task.findMany({ where: { id: { in: ids } } });
    // A worker has looked at each and put it back.
    await until(async () => (await rows()).every(({ fence, leaseUntil }) => fence > 0 && leaseUntil === null));
    expect(await calls()).toEqual([]);

    await disk.empty();
    const records = await Promise.all(ids.map((id) => account.caller.ended(id, 90_000)));
    expect(records.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
    expect((await calls()).map(({ accepted }) => accepted)).toEqual(ids.map(() => true));
    for (const { result } of records) expect((await judgedFetch(result?.images[0]?.url[0] as string)).status).toBe(200);
    expect((await rows()).map(({ failedSteps, attemptsMade }) => [failedSteps, attemptsMade])).toEqual(
      ids.map(() => [0, 1]),
    );
    const spent = records.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
    expect(spent).toBeGreaterThan(0);
    const { used_balance: used, remain_balance: rest } = (await account.caller.get('/v1/user/balance')).body;
    expect([used, rest]).toEqual([expect.closeTo(spent, 9), expect.closeTo(10 - spent, 9)]);
    expect(await system.audit()).toEqual([]);
  },
);
