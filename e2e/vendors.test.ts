import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatorKeys } from '@mediagate/local-servers';
import { type SimulatorUnderTest, startUnderTest } from '../simulator/test/simulator-under-test';
import { runIn } from '../tools/cli/test/world';

/* What operators ask of vendors by the command line, of every protocol, as the simulator speaks it. */

let simulator: SimulatorUnderTest;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  simulator = await startUnderTest();
  home = mkdtempSync(join(tmpdir(), 'mediagate-vendors-'));
  const config = join(__dirname, '../deploy/config/simulator.yaml');
  const shipped = { MEDIAGATE_CONFIG: config, SIMULATOR_URL: simulator.url, DEMO_CALLBACK_ORIGIN: 'http://127.0.0.1' };
  env = { MEDIAGATE_HOME: home, ...shipped, ...simulatorKeys() };
});
afterAll(async () => {
  await simulator.close();
  rmSync(home, { recursive: true });
});

interface Probed {
  id: string;
  protocol: string;
  reachable: boolean;
  key: string;
  upstream_models: { known: boolean }[] | null;
  balance: string | null;
}

async function probe(more: Record<string, string> = {}): Promise<{ code: number; channels: Probed[] }> {
  const { code, out } = await runIn({ ...env, ...more }, 'channel', 'check', '--probe', '--json');
  return { code, channels: JSON.parse(out).channels };
}

/** Nothing of a key shows in answers without one, and nobody is asked where the work is done here. */
const UNPROVED = ['local-audio', 'skyreels-video'];

describe('a probe of every channel', () => {
  it('finds each vendor, its key and its models, and starts nothing there', async () => {
    const { code, channels } = await probe();
    const unproved = channels.filter(({ key }) => key !== 'taken').map(({ protocol }) => protocol);
    expect([...new Set(unproved)].sort()).toEqual(UNPROVED);
    const lacking = channels.filter(
      ({ reachable, upstream_models: models }) => !reachable || models?.some(({ known }) => !known),
    );
    expect(lacking).toEqual([]);
    const balances = channels.flatMap(({ protocol, balance }) => (balance === null ? [] : [[protocol, balance]]));
    expect(Object.fromEntries(balances)).toEqual({ 'kling-video': '118', sunoapi: '1000' });
    expect(code).toBe(0);
    expect((await simulator.tasks()).tasks).toEqual([]);
    expect((await simulator.journal()).map(({ operation }) => operation)).not.toContain('start');
  });

  it('is told by each vendor of a key that it does not take', async () => {
    const wrong = Object.fromEntries(Object.keys(simulatorKeys()).map((name) => [name, 'wrong:key']));
    const { code, channels } = await probe(wrong);
    expect(code).toBe(1);
    const others = channels.filter(({ protocol }) => !UNPROVED.includes(protocol));
    expect(others.filter(({ key }) => key !== 'refused')).toEqual([]);
  });
});
