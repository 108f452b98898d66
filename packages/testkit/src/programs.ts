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
  return findOrInstall({ name: 'git', programs: ['git'], neededBy: 'the test of releases' });
}
