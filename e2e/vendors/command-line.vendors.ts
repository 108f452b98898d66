import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatorKeys } from '@mediagate/testkit/servers';
import { parse, stringify } from 'yaml';
import { type SimulatorUnderTest, startUnderTest } from '../../simulator/test/simulator-under-test';
import { runIn } from '../../tools/cli/test/world';

/* Operators ask vendors by the command line: questions of every protocol, as the simulator speaks it. */

let simulator: SimulatorUnderTest;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  simulator = await startUnderTest();
  home = mkdtempSync(join(tmpdir(), 'mediagate-vendors-'));
  const config = join(__dirname, '../../deploy/config/simulator.yaml');
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

/** Nothing of a key shows in answers that need none, and nobody is asked where the work is done here. */
const UNPROVED = ['fal-queue', 'local-audio', 'skyreels-video'];

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
    expect(Object.fromEntries(balances)).toEqual({
      elevenlabs: '100000',
      'kling-3': '118',
      'kling-video': '118',
      sunoapi: '1000',
    });
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

interface Verified {
  protocol: string;
  spent: number;
  ran: { operation: string; works: boolean; detail: string; cost: number | null }[];
  not_tried: { operation: string; why: string }[];
  files: string[];
}

describe('a verification of a channel', () => {
  interface Written {
    id: string;
    test?: boolean;
    options?: object;
    costs?: object;
    models: Record<string, unknown>;
  }

  /** The shipped channels, asked about their jobs each second. */
  function configured(change: (channel: Written) => Written = (channel) => channel): Record<string, string> {
    const shipped = parse(readFileSync(env['MEDIAGATE_CONFIG'] ?? '', 'utf8'));
    const channels = shipped.channels.map((channel: Written & { protocol: string }) => {
      const isOfJobs = JOBS.test(channel.protocol);
      return change(isOfJobs ? { ...channel, options: { ...channel.options, max_check_seconds: 1 } } : channel);
    });
    const path = join(home, 'channels.yaml');
    writeFileSync(path, stringify({ ...shipped, channels }));
    return { ...env, MEDIAGATE_CONFIG: path };
  }
  const AT_ONCE = 3;
  const JOBS = /video|kling|suno|midjourney|fal-queue|replicate/;

  async function verify(config: Record<string, string>, id: string, ...words: string[]) {
    const out = join(home, `of-${id}`);
    const ran = await runIn(config, 'vendor', 'verify', '--channel', id, '--out', out, '--json', ...words);
    const files = () => readdirSync(out).map((name) => ({ name, text: readFileSync(join(out, name), 'utf8') }));
    expect(ran.err).toBe('');
    return { code: ran.code, verified: JSON.parse(ran.out) as Verified, files };
  }

  it('of a channel or an operation that is not there says which there are, and asks no vendor', async () => {
    const wrong = async (...words: string[]) => (await runIn(env, 'vendor', 'verify', '--spend', '1', ...words)).err;
    const before = (await simulator.journal()).length;
    expect(await wrong('--channel', 'nope')).toMatch(/no channel nope whose key is set; it has images-openai, /);
    expect(await wrong('--channel', 'videos-minimax', '--operation', 'videos')).toContain(
      'videos-minimax has no operation videos; its models have videos.generations',
    );
    expect(await simulator.journal()).toHaveLength(before);
  });

  it('runs the operations of every protocol that need words alone, and keeps no key in what it writes', async () => {
    const config = configured((channel) => ({
      ...channel,
      models: Object.fromEntries(Object.entries(channel.models).slice(0, 1)),
    }));
    const { channels } = parse(readFileSync(config['MEDIAGATE_CONFIG'] ?? '', 'utf8'));
    const ids: string[] = channels.filter(({ test }: Written) => !test).map(({ id }: Written) => id);
    const all: Awaited<ReturnType<typeof verify>>[] = [];
    // All at once, one process would make every vendor's work, and some would be too late.
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE);
      all.push(...(await Promise.all(some.map((id) => verify(config, id, '--spend', '1', '--accept-unknown-cost')))));
    }
    const failed = all.flatMap(({ verified }) => verified.ran.filter(({ works }) => !works));
    expect(failed).toEqual([]);
    const idle = all.filter(({ verified }) => verified.ran.length === 0).map(({ verified }) => verified.protocol);
    // Its work is done on tracks that others made.
    expect(idle).toEqual(['local-audio']);
    for (const { files, verified } of all) {
      const written = files();
      expect(written.map(({ name }) => name).sort()).toEqual([...verified.files].sort());
      for (const { text } of written)
        expect(text).not.toMatch(/sim-[a-z]+-(?:key|access|secret)|127\.0\.0\.1:\d+\/|att_/);
      const fixtures = written.filter(({ name }) => name.endsWith('.json')).map(({ text }) => JSON.parse(text));
      for (const { about, outcome, wire, replies } of fixtures) {
        expect([about, outcome.kind]).toEqual([about, expect.stringMatching(/^(?:started|done)$/)]);
        expect(wire).toHaveLength(replies.length);
      }
    }
  });

  it('refuses what it does not know the cost of, and what could cost more than is left', async () => {
    const unknown = await verify(configured(), 'images-openai', '--spend', '5');
    expect(unknown).toMatchObject({ code: 1, verified: { spent: 0, ran: [] } });
    expect(unknown.verified.not_tried[0]?.why).toMatch(/^what it costs is not known/);
    const prices = { image_output: 30, image_input: 8, cached_image_input: 2, text_input: 5, cached_text_input: 1.25 };
    const costs = { 'imagegen-2.5-flare': prices, 'imagegen-2.5-sunburst': prices, 'imagegen-2': prices };
    const declared = configured((channel) => (channel.id === 'images-openai' ? { ...channel, costs } : channel));
    const tight = await verify(declared, 'images-openai', '--spend', '0.000001');
    expect(tight.verified).toMatchObject({ spent: 0, ran: [] });
    const tooDear = tight.verified.not_tried.filter(({ why }) => why === 'it could cost more than is left to spend');
    expect(tooDear).toHaveLength(3);
    const { code, verified } = await verify(declared, 'images-openai', '--spend', '5');
    expect(code).toBe(0);
    expect(verified.ran.map(({ works, cost }) => [works, Number(cost) > 0])).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(verified.spent).toBeLessThan(5);
  });
});
