const { default: Sequencer } = require('@jest/test-sequencer');

/** The files that take longest, by far: whatever starts late keeps one worker busy at the end of a run, and the others idle. */
const LONGEST = [
  '/e2e/jobs.test.ts',
  '/e2e/vendors/clients.vendors.ts',
  '/e2e/vendors/faults.vendors.ts',
  '/services/api/test/fuzz.int.test.ts',
];

/**
 * Unit tests first: some count the timers that are set, and the sessions and processes which a file with servers leaves to its own
 * worker set theirs for a while. Then the longest files, then those with servers. End-to-end tests wait more than they work: they
 * are spread among those with servers, so that never all workers wait at the same time. Within each as Jest orders them.
 */
module.exports = class extends Sequencer {
  /** @override */
  async sort(tests) {
    const sorted = await super.sort(tests);
    /** @param {number} rank */
    const of = (rank) => sorted.filter(({ path }) => rankOf(path) === rank);
    return [...of(0), ...of(1), ...spread(of(2), of(3))];
  }
};

/** @param {string} path */
function rankOf(path) {
  if (LONGEST.some((name) => path.endsWith(name))) return 1;
  if (path.includes('/e2e/')) return 2;
  return path.includes('.int.test.') ? 3 : 0;
}

/**
 * The few, each followed by its share of the many.
 *
 * @template Item
 * @param {Item[]} few
 * @param {Item[]} many
 */
function spread(few, many) {
  if (few.length === 0) return many;
  const share = Math.ceil(many.length / few.length);
  return few.flatMap((one, index) => [one, ...many.slice(index * share, (index + 1) * share)]);
}
