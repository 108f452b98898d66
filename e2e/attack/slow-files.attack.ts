import { until } from '@mediagate/testkit';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const UNIT = 1_000_000_000n;
const TRACKS = '/v1/music/generations';
/** More than a worker has transfers. */
const TEST_TRACKS = 10;
/** The vendor sends each file of theirs for so long: longer than the paid tracks beside them take. */
const SLOW_SECONDS = 60;
const ROUNDS = 3;
/** Once is wanted; a machine that does other work makes more of it. */
const RATIO_MAX = 4;

let system: System<'api' | 'music' | 'reconciler'>;
let paying: SystemAccount;

beforeAll(async () => {
  system = await startSystem({ services: ['api', 'music', 'reconciler'] });
  paying = await system.account(1000n * UNIT);
  await paidTrackMs();
}, 120_000);
afterAll(() => system?.stop(), 120_000);

async function paidTrackMs(): Promise<number> {
  const startedAt = performance.now();
  const id = await paying.caller.submit({ model: 'musicgen', gpt_description: 'a waltz' }, TRACKS);
  const { status } = await paying.caller.ended(id);
  expect(status).toBe('completed');
  return performance.now() - startedAt;
}

/** The middle one of some, one after the other. */
async function usualMs(): Promise<number> {
  const timesMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) timesMs.push(await paidTrackMs());
  return timesMs.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

async function slowDownloads(): Promise<number> {
  const entries = await system.simulator.journal();
  return entries.filter(({ operation, ending }) => operation === 'download' && ending === 'open').length;
}

/** Each by an account of its own: tests are free. */
async function submitSlowTestTrack(): Promise<void> {
  const { caller } = await system.account(0n, { isTest: true });
  await caller.submit({ model: 'musicgen', gpt_description: `a waltz [[sim:asset-slow=${SLOW_SECONDS}s]]` }, TRACKS);
}

it('ten free test tracks with slow files leave a paid track of the same worker its transfers', async () => {
  const aloneMs = await usualMs();
  await Promise.all(Array.from({ length: TEST_TRACKS }, submitSlowTestTrack));
  // The others are at their files, too, before a paid track that is submitted now.
  await until(async () => (await slowDownloads()) > 0);
  const besideMs = await usualMs();
  const slow = await slowDownloads();
  const ratio = besideMs / aloneMs;
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  process.stdout.write(
    `a paid track: alone ${seconds(aloneMs)} s, beside ten of tests ${seconds(besideMs)} s, ${ratio.toFixed(1)} x; ${slow} slow files\n`,
  );
  expect(slow).toBeGreaterThan(0);
  expect(ratio).toBeLessThan(RATIO_MAX);
}, 300_000);
