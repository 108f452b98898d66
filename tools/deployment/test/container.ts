import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { untilReady } from '@mediagate/testkit/servers';
import type { BuiltImage } from './build-image';

const RUN_LIMIT_MS = 90_000;
const MAX_LOG_CHARACTERS = 100_000;

/**
 * Becomes the command, in mounts of its own: the image's files read-only, a /tmp in memory, and `[host's folder, folder inside]` for each
 * volume. As Compose asks for it: without capabilities, and without a way to get any. Arguments: the image's root, user, group, folder, volumes, `--`, command.
 */
const ENTER = `set -eu
root=$1 user=$2 group=$3 folder=$4
shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs tmpfs "$root/tmp"
for each in dev proc sys; do mount --rbind "/$each" "$root/$each"; done
while [ "$1" != -- ]; do mount --bind "$1" "$root$2"; shift 2; done
shift
exec chroot "$root" setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \\
  env --chdir "$folder" "$@"`;

export interface ContainerOptions {
  name: string;
  image: Pick<BuiltImage, 'root' | 'settings'>;
  command: readonly string[];
  /** Beside what the image sets. */
  environment: Record<string, string>;
  /** Folders of this machine by where they are inside. */
  volumes: Readonly<Record<string, string>>;
}

/** A command of the image among its files, as its user; of this machine it has the network alone. */
export interface Container {
  log(): string;
  ready(): Promise<void>;
  /** SIGTERM, then SIGKILL after the grace period, as Docker does it. The exit code, and the seconds it took. */
  stop(graceSeconds: number): Promise<{ code: number | null; seconds: number }>;
}

function toProcess({ image, command, environment, volumes }: ContainerOptions) {
  const { User, WorkingDir, Env } = image.settings;
  const [user = '', group = ''] = User.split(':');
  const mounts = Object.entries(volumes).flatMap(([inside, folder]) => [folder, inside]);
  return {
    args: ['--mount', 'sh', '-c', ENTER, 'enter', image.root, user, group, WorkingDir, ...mounts, '--', ...command],
    env: { ...Object.fromEntries(Env.map((pair) => splitAt(pair, '='))), ...environment },
  };
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function startContainer(options: ContainerOptions): Container {
  const { name, environment } = options;
  const { args, env } = toProcess(options);
  // It becomes the command itself, so that signals reach that.
  const child: ChildProcess = spawn('/usr/bin/unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-MAX_LOG_CHARACTERS);
    });
  }
  return {
    log: () => log,
    async ready() {
      await untilReady(child, `http://127.0.0.1:${environment['HEALTH_PORT']}/readyz`).catch((cause) => {
        throw new Error(`${name} did not start:\n${log}`, { cause });
      });
    },
    async stop(graceSeconds) {
      const startedAt = performance.now();
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
      const [code] = await exited;
      clearTimeout(hard);
      return { code, seconds: (performance.now() - startedAt) / 1000 };
    },
  };
}

/** One that ends by itself: its exit code and output. */
export function runContainer(options: ContainerOptions): { code: number | null; output: string } {
  const { args, env } = toProcess(options);
  const { status, stdout, stderr } = spawnSync('/usr/bin/unshare', args, {
    encoding: 'utf8',
    timeout: RUN_LIMIT_MS,
    env,
  });
  return { code: status, output: `${stdout}${stderr}` };
}
