import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findProgram } from '@mediagate/testkit';
import { ROOT } from './checkout';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [0.10.0] - 2026-12-01\n\n### Added\n\n- A thing.\n\n## [0.9.0] - 2026-11-22\n\n- Old.\n';
const AUTHOR = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' };
/** A bare machine has no git; the script finds it by PATH, as whoever releases does. */
const PATH = [dirname(findProgram('git') ?? ''), process.env['PATH']].join(delimiter);
const COMMITTER = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediagate-release-'));
  mkdirSync(join(folder, 'deploy/helm/mediagate'), { recursive: true });
  write('package.json', '{"version":"0.10.0"}');
  write('CHANGELOG.md', CHANGELOG);
  write('deploy/helm/mediagate/Chart.yaml', 'version: 0.10.0\nappVersion: 0.10.0\n');
  git('init', '--quiet');
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: folder, env: { PATH, HOME: folder, ...AUTHOR, ...COMMITTER } });
function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Release');
}
function release(...args: string[]) {
  const script = join(ROOT, 'scripts/release.mjs');
  const env = { ...process.env, PATH };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
const dryRun = () => release('--image', 'registry.example.com/mediagate', '--dry-run');

describe('a dry run of the release', () => {
  it('shows each command, prints the notes of the version, and changes nothing', () => {
    git('tag', 'v0.9.0');
    const { status, stdout, stderr } = dryRun();
    const name = 'registry.example.com/mediagate';
    expect({ status, stdout }).toEqual({ status: 0, stdout: '### Added\n\n- A thing.\n' });
    expect(stderr.trim().split('\n')).toEqual([
      `docker build --tag ${name}:0.10.0 --tag ${name}:0.10 --tag ${name}:latest .`,
      'git tag --annotate v0.10.0 --message Release 0.10.0',
      `docker push ${name}:0.10.0`,
      `docker push ${name}:0.10`,
      `docker push ${name}:latest`,
      'git push origin v0.10.0',
    ]);
    expect(git('tag', '--list').toString()).toBe('v0.9.0\n');
  });

  it('leaves `latest` with a later release', () => {
    git('tag', 'v1.0.0');
    expect(dryRun().stderr).toContain('--tag registry.example.com/mediagate:0.10 .\n');
    expect(dryRun().stderr).not.toContain('latest');
  });

  it('names all that is not ready', () => {
    git('tag', 'v0.10.0');
    write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n');
    write('deploy/helm/mediagate/Chart.yaml', 'version: 0.9.0\nappVersion: 0.9.0\n');
    const { status, stdout, stderr } = dryRun();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      '0.10.0 is not ready:',
      '- there are changes that are not committed',
      '- CHANGELOG.md has no part "## [0.10.0] - <date>": run scripts/set-version.mjs',
      '- the chart is of another version',
      '- the tag v0.10.0 is there already',
    ]);
  });

  it('prints the notes alone, for the workflow that publishes', () => {
    git('tag', 'v0.10.0');
    expect(release('--notes')).toEqual({ status: 0, stdout: '### Added\n\n- A thing.\n', stderr: '' });
    write('package.json', '{"version":"0.11.0"}');
    expect(release('--notes')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'CHANGELOG.md says nothing about 0.11.0\n',
    });
  });

  it('asks for the image’s name', () => {
    expect(release('--dry-run')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') });
    expect(release('--push')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') });
  });
});
