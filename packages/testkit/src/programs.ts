import { existsSync } from 'node:fs';
import { findOrInstall } from './system-package';

/** The path of openssl, installed where that is possible; undefined when it cannot be had. */
export function findOpenssl(): string | undefined {
  return findOrInstall({ name: 'openssl', programs: ['openssl'], neededBy: 'the tests of TLS and of callbacks' });
}

/** The path of Python, in the same way. */
export function findPython(): string | undefined {
  return findOrInstall({ name: 'python3', programs: ['python3'], neededBy: 'the code of docs/callbacks.md' });
}

/** The path of git, in the same way. */
export function findGit(): string | undefined {
  return findOrInstall({ name: 'git', programs: ['git'], neededBy: 'the tests of releases' });
}

/** The path of buildah, which builds images as Docker does, in the same way. */
export function findBuildah(): string | undefined {
  return findOrInstall({ name: 'buildah', programs: ['buildah'], neededBy: 'the test of the image' });
}

/** The path of mmdebstrap, which makes a small Debian of its packages, in the same way. */
export function findMmdebstrap(): string | undefined {
  return findOrInstall({ name: 'mmdebstrap', programs: ['mmdebstrap'], neededBy: 'the test of the image' });
}

/** The library that, loaded before a program, shows it another time than the clock's; undefined when it cannot be had. */
export function findFaketime(): string | undefined {
  findOrInstall({ name: 'faketime', programs: ['faketime'], neededBy: 'the test of clocks that differ' });
  return ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path));
}

/** The path of nginx, in the same way. */
export function findNginx(): string | undefined {
  return findOrInstall({ name: 'nginx-light', programs: ['nginx'], neededBy: 'the test of proxies' });
}

/** The path of Caddy, in the same way. */
export function findCaddy(): string | undefined {
  return findOrInstall({ name: 'caddy', programs: ['caddy'], neededBy: 'the test of proxies' });
}
