const { default: Sequencer } = require('@jest/test-sequencer');

/** End-to-end tests first: each is one long file, and the last to start would keep a single worker busy at the end of a run. */
module.exports = class extends Sequencer {
  /** @override */
  async sort(tests) {
    const isLong = ({ path }) => path.includes('/e2e/');
    const sorted = await super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
