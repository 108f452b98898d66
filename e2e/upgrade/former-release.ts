import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, makeOnce } from '@mediagate/testkit';

const ROOT = join(__dirname, '../..');
const STEP_LIMIT_MS = 300_000;
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;

/**
 * The checkout of the release before, installed and built: the commit that FORMER_RELEASE names, else the newest
 * tag, else the commit that wrote the newest release into the changelog. Undefined, and said so, where git does not know it.
 */
export function openFormerRelease(): string | undefined {
  const git = findProgram('git');
  const commit = git === undefined ? '' : commitOf(git);
  if (git === undefined || commit === '') {
    process.stderr.write('NOT RUN: two releases at once need git, and a clone that goes back to the release before.\n');
    return undefined;
  }
  return makeOnce(`release-${commit}`, (folder) => install(git, commit, folder));
}

function commitOf(git: string): string {
  const ask = (...args: string[]) => execFileSync(git, args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const given = process.env['FORMER_RELEASE'];
  if (given !== undefined) return ask('rev-parse', '--verify', `${given}^{commit}`);
  const [tag = ''] = ask('tag', '--list', 'v*.*.*', '--sort=-version:refname').split('\n');
  if (tag !== '') return ask('rev-parse', '--verify', `${tag}^{commit}`);
  const [heading = ''] = /^## \[\d+\.\d+\.\d+\] - \S+/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  return ask('log', '--format=%H', '-S', heading, '--', 'CHANGELOG.md').split('\n').at(-1) ?? '';
}

function install(git: string, commit: string, folder: string): void {
  process.stderr.write(`Building the release before, ${commit.slice(0, 8)}.\n`);
  mkdirSync(folder);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, timeout: STEP_LIMIT_MS, stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = execFileSync(git, ['archive', commit], { cwd: ROOT, maxBuffer: MAX_ARCHIVE_BYTES });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  run('npx', '-y', 'pnpm@10', 'install', '--frozen-lockfile', '--prefer-offline');
  run(process.execPath, 'scripts/generate.mjs');
  run(process.execPath, 'scripts/build.mjs');
}
