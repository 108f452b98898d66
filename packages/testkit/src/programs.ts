import { existsSync } from 'node:fs';
import { findOrInstall } from './system-package';

/** The tests that need each program, for whoever watches its installation. */
const NEEDED_BY = {
  openssl: 'the tests of TLS and of callbacks',
  python3: 'the code of docs/callbacks.md',
  git: 'the tests of releases',
  buildah: 'the test of the image',
  mmdebstrap: 'the test of the image',
  faketime: 'the test of clocks that differ',
  nginx: 'the test of proxies',
  caddy: 'the test of proxies',
};

/** The path of a program, installed where that is possible; undefined when it cannot be had. */
export function findProgram(program: keyof typeof NEEDED_BY): string | undefined {
  const name = program === 'nginx' ? 'nginx-light' : program;
  return findOrInstall({ name, programs: [program], neededBy: NEEDED_BY[program] });
}

/** The library that, loaded before a program, shows it another time than the clock's; undefined when it cannot be had. */
export function findFaketime(): string | undefined {
  findProgram('faketime');
  return ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path));
}
