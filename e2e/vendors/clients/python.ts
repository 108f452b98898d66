import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { pythonPrograms } from '@mediagate/testkit/servers';
import { sharedSystem } from '../../system/shared-system';

const UNIT = 1_000_000_000n;
const RUN_LIMIT_MS = 120_000;

const programs = pythonPrograms('e2e/clients/requirements.txt');

/** Runs a program of the folder and reads what it prints. */
async function print(program: string, folder: string): Promise<string> {
  const { system } = await sharedSystem();
  const { key } = await system.account(10n * UNIT);
  const { PATH } = process.env;
  const child = spawn(join(String(programs), 'python'), [program], {
    cwd: folder,
    env: { PATH, BASE_URL: system.baseUrl, BASE: system.baseUrl, KEY: key },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(err);
  return out;
}

(programs === undefined ? describe.skip : describe)('a client that a generator makes of the API’s description', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mediagate-generated-'));
    await generateClient(folder);
  }, RUN_LIMIT_MS);
  afterAll(() => rm(folder, { recursive: true }));

  it(
    'does what the README of packages/client shows of it',
    async () => {
      const { media } = await sharedSystem();
      await writeFile(
        join(folder, 'boat.png'),
        new Uint8Array(await (await fetch(media.url('first.jpg'))).arrayBuffer()),
      );
      const readme = await readFile('packages/client/README.md', 'utf8');
      const blocks = [...readme.matchAll(/^```python\n(.*?)^```/gms)].map(([, block]) => block);
      await writeFile(join(folder, 'readme.py'), blocks.join(''));
      expect(await print('readme.py', folder)).toMatch(/^completed 0\.\d+\nimage 640 task_\w{26}\n$/);
    },
    RUN_LIMIT_MS,
  );
});

/** Generates a client from the gateway's description of itself; anything there that the generator cannot read is a fault. */
async function generateClient(folder: string): Promise<void> {
  const { system } = await sharedSystem();
  const config = resolve('e2e/clients/generator.yaml');
  await promisify(execFile)(
    join(String(programs), 'openapi-python-client'),
    [
      'generate',
      '--url',
      `${system.baseUrl}/openapi.json`,
      '--config',
      config,
      '--output-path',
      folder,
      '--overwrite',
      '--fail-on-warning',
    ],
    { timeout: RUN_LIMIT_MS },
  );
}
