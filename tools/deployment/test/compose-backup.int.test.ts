import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REQUIRED_VARIABLES, readComposeFile } from './compose-file';

it('the backup of Compose is written once a day and tried; where that fails older ones are kept, its health says so, and the next is an hour later', () => {
  const { backup } = readComposeFile(REQUIRED_VARIABLES).services;
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-backup-'));
  const script = String(backup?.command?.[2]).replaceAll('$$', '$').replaceAll('/backups', folder);
  const [, isHealthy = ''] = [backup?.healthcheck?.test]
    .flat()
    .map((word) => String(word).replaceAll('/backups', folder));
  // Its second turn ends it.
  const run = (tool: string) =>
    spawnSync('sh', ['-c', `node() { ${tool}; }; sleep() { echo "sleeps $1"; exit 0; }; ${script}`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], BACKUP_KEEP_DAYS: '14' },
    }).stdout;
  const old = join(folder, 'mediagate-old.backup');
  try {
    writeFileSync(old, '');
    utimesSync(old, 0, 0);
    expect(run('false')).toBe('sleeps 3600\n');
    expect([existsSync(old), spawnSync('sh', ['-c', isHealthy]).status]).toEqual([true, 1]);
    expect(run('echo "$@"')).toMatch(
      /^tools\/cli\/dist\/main\.js backup --try --to \/.*\/mediagate-[\dTZ-]+\.backup\nsleeps 86400\n$/,
    );
    expect([existsSync(old), spawnSync('sh', ['-c', isHealthy]).status]).toEqual([false, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
