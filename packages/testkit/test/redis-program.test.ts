import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedis } from '../src/servers';

/** On PATH, and what the package manager fills, which PATH does not name. */
let bin: string;
let installed: string;
let lines: string[];

beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'bin-'));
  installed = mkdtempSync(join(tmpdir(), 'installed-'));
  lines = [];
  program('sudo', 'shift; exec "$@"');
});

afterEach(() => {
  for (const folder of [bin, installed]) rmSync(folder, { recursive: true });
});

/** A program of a machine that has only what a test puts there. */
function program(name: string, script: string, folder = bin): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const ensure = () => ensureRedis((line) => lines.push(line), { path: bin, installed });
/** Where apt keeps what it knows: other systems have nothing to wait for. */
const onDebian = existsSync('/var/lib/apt') ? it : it.skip;
const makes = (name: string) => `printf '#!/bin/sh\\n' > ${installed}/${name}; /bin/chmod +x ${installed}/${name}`;

describe('Redis', () => {
  it('is used as it is there, and nothing is installed', async () => {
    program('valkey-server', 'exit 0');
    program('apt-get', 'exit 1');
    expect(await ensure()).toEqual({ kind: 'program', path: join(bin, 'valkey-server') });
    expect(lines).toEqual([]);
  });

  it('is installed with the package manager that is there, saying so', async () => {
    program('apt-get', `[ "$1" = update ] || { ${makes('redis-server')}; }`);
    expect(await ensure()).toEqual({ kind: 'program', path: join(installed, 'redis-server') });
    expect(lines).toEqual([
      expect.stringMatching(/^installing Redis: .*apt-get update/),
      expect.stringMatching(/^installing Redis: .*apt-get install .*redis-server$/),
    ]);
  });

  it('is installed for all users, though what this process writes is for its own', async () => {
    const before = process.umask(0o077);
    try {
      program('apt-get', `umask > ${bin}/umask; exit 100`);
      await expect(ensure()).rejects.toThrow('could not be installed');
    } finally {
      process.umask(before);
    }
    expect(readFileSync(join(bin, 'umask'), 'utf8').trim()).toBe('0022');
  });

  onDebian('is installed by one process at a time, for apt-get fails beside another', async () => {
    program('flock', `echo "$1 $2 $3" >> ${bin}/locks; shift 3; exec "$@"`);
    program('apt-get', `[ "$1" = update ] || { ${makes('redis-server')}; }`);
    await ensure();
    expect(readFileSync(join(bin, 'locks'), 'utf8')).toBe('--timeout 240 /var/lib/apt\n'.repeat(2));
  });

  it('is installed also where it lies off PATH already, and used from there when it cannot be installed', async () => {
    program('redis-server', 'exit 0', installed);
    program('apt-get', 'exit 0');
    expect(await ensure()).toEqual({ kind: 'program', path: join(installed, 'redis-server') });
    expect(lines).toHaveLength(2);

    program('apt-get', 'exit 100');
    expect(await ensure()).toEqual({ kind: 'program', path: join(installed, 'redis-server') });
  });

  it('is Valkey where the distribution has no Redis any more', async () => {
    program('dnf', `case "$*" in *valkey*) ${makes('valkey-server')} ;; *) exit 1 ;; esac`);
    expect(await ensure()).toEqual({ kind: 'program', path: join(installed, 'valkey-server') });
  });

  it('comes from Docker when nothing can be installed and an engine answers', async () => {
    program('apt-get', 'exit 100');
    program('docker', '[ "$1" = info ]');
    expect(await ensure()).toEqual({ kind: 'docker', path: join(bin, 'docker') });
  });

  it('is asked for with the exact command when there is no other way', async () => {
    program('apt-get', 'exit 100');
    program('docker', 'exit 1');
    await expect(ensure()).rejects.toThrow(
      'redis-server, which keeps the queues, is not on PATH and could not be installed. Run: sudo apt-get update -qq && sudo apt-get install -y -qq --no-install-recommends redis-server',
    );
  });

  it('is asked for in words on a machine without a package manager', async () => {
    await expect(ensure()).rejects.toThrow('Install redis-server (6.2 or newer), or set REDIS_URL');
  });
});
