import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSmallDisk, until } from '@mediagate/testkit';
import { startSystem } from '../system/start-system';
import { startExpiringVendor } from './expiring-vendor';
import { type ListedTrouble, type Night, openOperator, PATIENCE_MS, SERVICES, type World } from './night';
import { canFillDisks, NIGHTS } from './the-nights';

const UNIT = 1_000_000_000n;
/** More than each wait within it may take, so that a wait says itself what it waited for. */
const NIGHT_MS = 3 * PATIENCE_MS;
const ALERTS = join(__dirname, '../../deploy/helm/mediagate/files/alerts.yaml');

const ends: (() => Promise<unknown>)[] = [];
let world: World;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mediagate-nights-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const vendor = await startExpiringVendor(folder);
  ends.push(() => vendor.stop());
  const disk = canFillDisks() ? await openSmallDisk() : undefined;
  ends.push(async () => disk?.close());
  const config = (await readFile(join(__dirname, 'nights.yaml'), 'utf8')).replace('EXPIRING_VENDOR', vendor.url);
  const env = {
    MEDIAGATE_HOME: disk?.path ?? join(folder, 'home'),
    STORAGE_MIN_FREE_MB: '1',
    SIM_IMAGE_MS: '50',
    WORKER_CONCURRENCY: '8',
    NODE_EXTRA_CA_CERTS: vendor.trusted,
  };
  const system = await startSystem({ services: SERVICES, config, env, ownRedis: true });
  ends.push(() => system.stop());
  vendor.forwardTo(system.simulator.url);
  const account = await system.account(1000n * UNIT);
  const operator = await openOperator({ system });
  world = { system, account, caller: account.caller, disk, vendor, operator };
});

afterAll(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

for (const night of NIGHTS) {
  (night.canBePlayed?.() === false ? it.skip : it)(
    `the night "${night.name}" is named with its cause, notified, mended as the action says, and over, with clean books`,
    async () => {
      const play = async () => {
        const brokenAt = performance.now();
        const after = () => `${Math.ceil((performance.now() - brokenAt) / 1000)} s`;
        const symptom = await night.break(world);
        const trouble = await until(() => listed(night), `${night.name} is listed`);
        const named = `\`${trouble.cause}\` after ${after()}`;
        const reached = await notifiedBy(night);
        const timed = 'nobody' in night.notified ? reached : `${reached} after ${after()}`;
        return [night.name, symptom, named, timed, trouble.action];
      };
      const row = await play().catch(async (error) => {
        // The next night is to happen to a system that works.
        await night.mend(world).catch(() => undefined);
        throw error;
      });
      await night.mend(world);
      await until(async () => (await listed(night)) === undefined, `${night.name} is over`);
      await until(async () => (await world.system.audit()).length === 0, 'the books are clean');
      process.stdout.write(`| ${row.join(' | ')} |\n`);
    },
    NIGHT_MS,
  );
}

async function listed({ trouble, askedAt }: Night): Promise<ListedTrouble | undefined> {
  const { detail, ...named } = trouble;
  const troubles = await world.operator.troubles(askedAt?.());
  return troubles.find(
    (each) =>
      Object.entries(named).every(([field, value]) => each[field as keyof ListedTrouble] === value) &&
      (detail === undefined || detail.test(each.detail ?? '')),
  );
}

async function notifiedBy({ notified, trouble }: Night): Promise<string> {
  if ('notice' in notified) {
    await world.operator.noticed(notified.notice, trouble.subject);
    return `notice \`${notified.notice}\``;
  }
  if ('nobody' in notified) return notified.nobody;
  const { alert, service, measured } = notified;
  expect(await readFile(ALERTS, 'utf8')).toContain(`alert: ${alert}\n`);
  await until(
    async () => measured.test(await (await fetch(world.system.services[service].metricsUrl)).text()),
    `what ${alert} looks at`,
  );
  return `figures of \`${alert}\``;
}
