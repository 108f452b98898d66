import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Buildah, SYSTEM_PATH } from './buildah';
import { readText } from './checkout';

/** `node:24-trixie-slim` */
const NODE_IMAGE = /^ARG NODE_IMAGE=node:(\d+)-(\w+)-slim$/m;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes what stands for the Dockerfile's NODE_IMAGE where no registry of images can be reached: the same Debian, of its packages alone, with
 * the Node that runs this and the npm of this machine.
 *
 * @returns the name of the image
 */
export function makeBaseImage({ run, folder }: Buildah, mmdebstrap: string): string {
  const [, major, suite = ''] = NODE_IMAGE.exec(readText('Dockerfile')) ?? [];
  if (major !== process.versions.node.split('.')[0]) throw new Error(`the image wants Node ${major}`);
  const system = join(folder, 'debian.tar');
  execFileSync(mmdebstrap, ['--quiet', '--variant=apt', suite, system], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: SYSTEM_PATH },
  });
  const container = run('from', 'scratch');
  run('add', container, system, '/');
  run('copy', container, process.execPath, '/usr/local/bin/node');
  run('copy', container, npmFolder(), '/usr/local/lib/node_modules/npm');
  for (const name of ['npm', 'npx']) {
    run('run', container, '--', 'ln', '-s', `../lib/node_modules/npm/bin/${name}-cli.js`, `/usr/local/bin/${name}`);
  }
  run('config', '--env', `PATH=${PATH}`, container);
  trustAuthorities(run, container);
  return run('commit', '--format', 'docker', '--rm', container, 'node');
}

/** Where registries of packages are reached by way of somebody with an authority of their own. */
function trustAuthorities(run: Buildah['run'], container: string): void {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined) return;
  run('copy', container, file, CERTIFICATES);
  run('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
}

/** Volumes from this machine, for RUN alone: how npm reaches its registry, and the packages that are here already. None is in the image. */
export function packageVolumes(): string[] {
  const ask = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const volumes = [
    [ask('npm', 'config', 'get', 'userconfig'), '/root/.npmrc'],
    [dirname(ask('npx', '-y', 'pnpm@10', 'store', 'path')), '/root/.local/share/pnpm/store'],
  ] as const;
  return volumes.flatMap(([here, inside]) => (existsSync(here) ? ['--volume', `${here}:${inside}`] : []));
}

/** The folder of the npm on PATH, which is `npm/bin/npm-cli.js`. */
function npmFolder(): string {
  const program = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  return dirname(dirname(realpathSync(program)));
}
