const { default: Sequencer } = require('@jest/test-sequencer');

/** The two that take longest, by far: whatever starts last keeps one worker busy at the end of a run, and the others idle. */
const LONGEST = ['/e2e/jobs.test.ts', '/tools/deployment/test/image.int.test.ts'];

/** Longest files first: end-to-end tests, then those with servers, then unit tests. Within each as Jest orders them. */
module.exports = class extends Sequencer {
  /** @override */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((one, other) => rank(one.path) - rank(other.path));
  }
};

/** @param {string} path */
function rank(path) {
  if (LONGEST.some((name) => path.endsWith(name))) return 0;
  if (path.includes('/e2e/')) return 1;
  return path.includes('.int.test.') ? 2 : 3;
}
