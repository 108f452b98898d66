import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryConfiguration } from '../src/open-configuration';
import { openTasks } from '../src/open-tasks';
import { openSession } from '../src/session';
import { NO_SURROUNDINGS } from './no-surroundings';
import { type Ran, runIn } from './world';

const directory = mkdtempSync(join(tmpdir(), 'mediagate-protocol-'));
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...words: string[]): Promise<Ran> => runIn({}, 'protocol', ...words);

/** A package as `protocol new` writes it, in which one file says something else. */
async function brokenPackage(name: string, file: string, [words, others]: [string, string]): Promise<string> {
  const folder = join(directory, name);
  expect(await run('new', name, '--dir', folder)).toMatchObject({ code: 0, err: '' });
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(words);
  writeFileSync(path, before.replace(words, others));
  return folder;
}

it('a new package passes its test, by path, and a channel of the configuration file can name it', async () => {
  const folder = join(directory, 'acme');
  const { out } = await run('new', 'acme', '--dir', folder);
  expect(out).toContain(`npx mediagate protocol test ${folder}`);
  const tested = await run('test', folder);
  expect(tested).toMatchObject({ code: 0, err: '' });
  expect(tested.out).toContain('ok      fixtures: check-done: ');
  expect(tested.out).toMatch(/^acme: (\d+) of \1 kept$/m);
  const file = join(directory, 'channels.yaml');
  const channel = `{ id: main, protocol: acme, base_url: "https://vendor.example/v1", api_key: "\${KEY}", models: { videoa-2.6: acme-1 } }`;
  writeFileSync(file, `protocols: [./acme]\nchannels:\n  - ${channel}\n`);
  const checked = await runIn({ KEY: 'a key' }, 'channel', 'check', '--config', file, '--json');
  expect(JSON.parse(checked.out)).toMatchObject({ channels: [{ id: 'main', protocol: 'acme' }], faults: [] });
});

it.each([
  [
    'a wrong word for a state',
    'adapter.js',
    ["broken: 'failed'", "broken: 'done'"],
    'fixtures: check-failed: a job that failed',
    'the outcome is not what was expected',
  ],
  [
    'another path',
    'adapter.js',
    ["path: '/videos',", "path: '/clips',"],
    'fixtures: success: from text',
    'request 1 lacks what was expected',
  ],
  [
    'a library of its own',
    'adapter.js',
    ['export const contract', "import 'node:http';\nexport const contract"],
    'names no module but its own files',
    'adapter.js imports node:http',
  ],
  [
    'a call of its own',
    'adapter.js',
    ['async check(', "async cancel() { return fetch('https://vendor.example'); },\n    async check("],
    'names no module but its own files',
    'adapter.js calls fetch',
  ],
  [
    'a time to wait that no vendor named',
    'adapter.js',
    [
      'async start(request, context) {',
      `async start(request, context) {
      const outcome = await this.begin(request, context);
      if (outcome.kind !== 'refused' || outcome.fault.code !== 'not_accepted') return outcome;
      return { ...outcome, fault: { ...outcome.fault, retryAfterSeconds: 5 } };
    },
    async begin(request, context) {`,
    ],
    'on a bad network: a refused connection was not accepted',
    'the outcome is not what was expected',
  ],
  [
    'a simulator of another vendor',
    'simulator.js',
    ["'content_refused'", "'nsfw'"],
    'the judge finds the simulator as the vendor is',
    'content that is refused has another code',
  ],
  [
    'a simulator that never ends',
    'simulator.js',
    ["'working', 'finished'", "'working', 'working'"],
    'the fixture success runs at the simulator to its end',
    'not done after 50 questions',
  ],
] as const)('a package with %s fails by name and reason', async (about, file, change, trial, reason) => {
  const name = about.replaceAll(' ', '-').slice(2);
  const folder = await brokenPackage(name, file, [...change]);
  const { code, out } = await run('test', folder, '--json');
  expect(code).toBe(1);
  const { failed } = JSON.parse(out);
  expect(failed).toContainEqual({ name: trial, reason: expect.stringContaining(reason) });
});

it('a package that lacks a fixture, or its judge, fails by its name', async () => {
  const folder = join(directory, 'poor');
  await run('new', 'poor', '--dir', folder);
  rmSync(join(folder, 'fixtures/quota.json'));
  expect((await run('test', folder)).out).toContain('FAILED  fixtures: cover what every protocol must show');
  const other = join(directory, 'unjudged');
  await run('new', 'unjudged', '--dir', other);
  rmSync(join(other, 'judge.js'));
  expect(await run('test', other)).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be tested: Cannot find module'),
  });
});

it('a command that cancels tasks knows which packages can', async () => {
  const [words, others] = ['async check(', "async cancel() { return { kind: 'too_late' }; },\n    async check("];
  await brokenPackage('stopper', 'adapter.js', [words, others]);
  const file = join(directory, 'stopper.yaml');
  writeFileSync(file, 'protocols: [./stopper]\nchannels: []\n');
  const unopened = { database: { tally: () => undefined } } as unknown as Parameters<typeof openTasks>[1];
  const session = openSession({ ...NO_SURROUNDINGS, env: { MEDIAGATE_CONFIG: file } });
  expect(openTasks(session, unopened, () => tryConfiguration(session)).cancelling.protocols).toContain('stopper');
});

it('nothing is overwritten, and no word is taken twice', async () => {
  const folder = join(directory, 'twice');
  await run('new', 'twice', '--dir', folder);
  expect(await run('new', 'other', '--dir', folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is there already'),
  });
  expect(await run('new', 'gemini')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has a protocol gemini already'),
  });
  expect(await run('new', 'Acme')).toMatchObject({ code: 2 });
  expect(existsSync('mediagate-gemini')).toBe(false);
});
