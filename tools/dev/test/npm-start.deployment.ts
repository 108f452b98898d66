import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES } from '@mediagate/contracts';
import { commandOf, freePort } from '@mediagate/testkit/servers';
import { type NpmStart, npmStart } from './npm-start';

const ROOT = join(__dirname, '../../..');
const READY = 'mediagate is ready';
const DEMO_FAILED = 'mediagate is up, but the demo failed';
const LIMIT_MS = 240_000;

interface Run {
  baseUrl: string;
  apiKey: string;
  adminToken: string;
  redisUrl: string;
  demo: string;
  configFile: string;
  processes: Record<string, number>;
}

let folder: string;
let home: string;
let ports: { PORT: string; CONSOLE_PORT: string };
let system: NpmStart | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  // The user that root runs PostgreSQL as must pass.
  chmodSync(folder, 0o755);
  home = join(folder, 'home');
  ports = { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
});

afterAll(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true });
});

const readRun = () => JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as Run;

/** The configuration of `npm start`, but the vendor of the demo's video refuses the key. */
function brokenVendor(): string {
  const shipped = readFileSync(join(ROOT, 'deploy/config/simulator.yaml'), 'utf8');
  const broken = shipped.replace('SIM_DASHSCOPE_KEY', 'SIM_OPENAI_KEY');
  if (broken === shipped) throw new Error('the configuration has no such channel any more');
  const path = join(folder, 'channels.yaml');
  writeFileSync(path, broken);
  return path;
}

/** Everything in the home, its own folder included, that somebody else may read or write. */
function openPaths(): string[] {
  return ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })].filter((name) => {
    const facts = lstatSync(join(home, name));
    return !facts.isSymbolicLink() && (facts.mode & 0o066) !== 0;
  });
}

function startIn(env: Record<string, string>): NpmStart {
  return npmStart({ ...ports, MEDIAGATE_HOME: home, ...env });
}

it('names the line of a configuration that cannot be used, and starts nothing', async () => {
  const path = join(folder, 'wrong.yaml');
  writeFileSync(path, 'channels:\n  - id: images\n    protocol: no-such-protocol\n');
  const refused = startIn({ MEDIAGATE_CONFIG: path });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain(`${path}:3:`);
  expect(existsSync(join(home, 'postgres'))).toBe(false);
});

describe('npm start with a vendor that refuses', () => {
  beforeAll(async () => {
    system = startIn({ MEDIAGATE_CONFIG: brokenVendor() });
    await system.untilLine(READY, DEMO_FAILED);
  }, LIMIT_MS);

  it('names the family that failed, why and where its log is, and is not ready', () => {
    const lines = system?.output().trimEnd().split('\n') ?? [];
    expect(lines).toContainEqual(expect.stringMatching(/^video failed: .+\. Log: .*\/logs\/video\.log$/));
    expect(lines.filter((line) => / failed: /.test(line))).toHaveLength(1);
    expect(lines.at(-1)).toBe(DEMO_FAILED);
    expect(lines).not.toContain(READY);
  });

  it('runs the other families to their end', () => {
    for (const family of FAMILIES.filter((name) => name !== 'video')) {
      expect(system?.output()).toMatch(new RegExp(`^${family} +\\S+ +completed `, 'm'));
    }
  });

  it('stays up to be looked at, and run.json says that the demo failed, and with which configuration', async () => {
    const { baseUrl, apiKey, adminToken, demo, configFile } = readRun();
    expect({ demo, configFile }).toEqual({ demo: 'failed', configFile: join(folder, 'channels.yaml') });
    const answer = await fetch(`${baseUrl}/v1/user/balance`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(answer.status).toBe(200);
    const asOperator = await fetch(`${baseUrl}/admin/v1/accounts`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    expect(asOperator.status).toBe(200);
  });

  it('prints a request that works when it is pasted, on lines of at most 100 characters', async () => {
    const output = system?.output() ?? '';
    const pasted = output.slice(output.indexOf('\nKEY=') + 1, output.indexOf(`\n\n${DEMO_FAILED}`));
    expect(Math.max(...pasted.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    // A shell splits the request into words, with a function for `curl`: a bare machine has none.
    const asShell = `curl() { printf '%s\\n' "$@"; }\n${pasted}`;
    const words = execFileSync('/bin/sh', ['-c', asShell], { encoding: 'utf8' }).trimEnd().split('\n');
    const [url = '', ...options] = words;
    const valuesOf = (option: string) => options.filter((_word, index) => options[index - 1] === option);
    const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ')));
    const answer = await fetch(url, { method: 'POST', headers, body: valuesOf('-d')[0] ?? '' });
    expect(await answer.json()).toMatchObject({ code: 200, data: [{ status: 'submitted' }] });
  });

  it('prints no line of a service that is no warning', () => {
    expect(system?.output()).not.toMatch(/ info {2}/);
  });

  it('keeps what every process logs in a file of its own', () => {
    for (const name of Object.keys(readRun().processes).filter((part) => !['redis', 'postgres'].includes(part))) {
      expect(readFileSync(join(home, `logs/${name}.log`), 'utf8')).not.toBe('');
    }
    expect(readFileSync(join(home, 'logs/video.log'), 'utf8')).toContain('status 401');
  });

  it('leaves nothing open to other users, though the umask would', () => {
    expect(readdirSync(home, { recursive: true })).toEqual(
      expect.arrayContaining(['redis/redis.log', 'logs/api.log', 'run.json', 'postgres/postgres.log']),
    );
    expect(readdirSync(join(home, 'media/objects'))).not.toEqual([]);
    expect(openPaths()).toEqual([]);
  });

  it('shows the password of Redis on no command line, in no log and not on the screen', async () => {
    const { password } = new URL(readRun().redisUrl);
    expect(password.length).toBeGreaterThanOrEqual(32);
    for (const pid of [...Object.values(readRun().processes), system?.pid ?? 0]) {
      expect(await commandOf(pid)).not.toContain(password);
    }
    const logs = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => /\.log(\.\d)?$/.test(name));
    for (const name of logs) expect(readFileSync(join(home, name), 'utf8')).not.toContain(password);
    expect(system?.output()).not.toContain(password);
  });
});

describe('npm start after a kill', () => {
  let left: Record<string, number>;

  beforeAll(async () => {
    left = readRun().processes;
    await system?.kill();
    system = startIn({ MEDIAGATE_DEMO: '0' });
    await system.untilLine(READY, DEMO_FAILED);
  }, LIMIT_MS);

  it('ends what was left running and is ready, and run.json says that there was no demo', async () => {
    const { demo, processes } = readRun();
    expect(demo).toBe('skipped');
    expect(Object.keys(processes).sort()).toEqual(Object.keys(left).sort());
    expect(Object.values(processes).filter((pid) => Object.values(left).includes(pid))).toEqual([]);
    for (const pid of Object.values(left)) expect(await commandOf(pid)).toBeUndefined();
  });

  it('stops everything when it is asked to', async () => {
    const { processes } = readRun();
    expect(await system?.stop()).toBe(0);
    expect(system?.output().trimEnd().split('\n').at(-1)).toBe('mediagate: stopped');
    for (const pid of Object.values(processes)) expect(await commandOf(pid)).toBeUndefined();
    expect(existsSync(join(home, 'run.json'))).toBe(false);
    expect(openPaths()).toEqual([]);
  });
});
