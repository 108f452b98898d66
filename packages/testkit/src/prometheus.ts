import { findOrInstall } from './system-package';

/** Debian's Prometheus, which brings promtool, too. */
const PACKAGE = { name: 'prometheus', neededBy: 'the tests of metrics and alerts' };

/** The path of promtool, installed where that is possible; undefined when it cannot be had. */
export function findPromtool(): string | undefined {
  return findOrInstall({ ...PACKAGE, programs: ['promtool'] });
}

/** The path of Prometheus itself, as promtool's. */
export function findPrometheus(): string | undefined {
  return findOrInstall({ ...PACKAGE, programs: ['prometheus'] });
}
