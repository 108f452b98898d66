import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const STEP_LIMIT_MS = 120_000;

/** An empty project with packages/client in it, as a caller gets it: packed, and installed from the tarball. */
export interface PackedClient {
  folder: string;
  /** Names of the files in the tarball. */
  files: string[];
  /** Runs a program in the project, and gives what it printed. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Writes a code block of the package's README into the project. */
  writeExample(file: string, language: string, holding: string): Promise<void>;
  remove(): Promise<void>;
}

export async function packClient(): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'mediagate-client-'));
  const options = { cwd: folder, timeout: STEP_LIMIT_MS };
  const packed = await run('npm', ['pack', resolve('packages/client'), '--json'], options);
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  await writeFile(join(folder, 'package.json'), '{"name": "caller", "private": true, "type": "module"}');
  await run('npm', ['install', `./${filename}`, '--offline', '--no-audit', '--no-fund'], options);
  for (const file of ['tour.mjs', 'run-tour.mjs', 'typed-caller.ts']) {
    await cp(`e2e/clients/${file}`, join(folder, file));
  }

  return {
    folder,
    files: files.map(({ path }: { path: string }) => path),
    async run(program, args, env = {}) {
      const { PATH = '' } = process.env;
      return (await run(program, args, { ...options, env: { PATH, ...env } })).stdout;
    },
    async writeExample(file, language, holding) {
      const readme = await readFile('packages/client/README.md', 'utf8');
      const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
        ([, block]) => block,
      );
      const found = blocks.find((block) => block?.includes(holding));
      if (found === undefined) throw new Error(`The README has no block of ${language} with ${holding}`);
      await writeFile(join(folder, file), found);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
