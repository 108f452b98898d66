const { dirname, resolve } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/**
 * Loads what the test files of this process share. Undefined before the first file.
 *
 * @type {any}
 */
let library;

/**
 * Loads packages, sources of the workspace and what stands in a folder `test/shared` once for all test files that a process runs.
 * Test files, and what else they keep beside them, are loaded for each anew, as Jest loads everything.
 *
 * A module that remembers something remembers it from one test file to the next, and `jest.mock` reaches nothing that is shared.
 */
module.exports = class extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} args */
  constructor(...args) {
    super(...args);
    library ??= new Runtime(...args);
    // Stacks go through both.
    /** @type {any} */ (this).transformCache.sourceMaps = library.transformCache.sourceMaps;
    const { watch, watchAll } = args[7];
    /** Whoever watches changes sources between two runs. */
    this.isWatched = watch || watchAll;
  }

  /** @override */
  requireModuleOrMock(from, name) {
    if (this.isWatched || !isShared(from, name)) return super.requireModuleOrMock(from, name);
    return library.requireModuleOrMock(from, name);
  }
};

/**
 * @param {string} from the file that names it
 * @param {string} name
 */
function isShared(from, name) {
  if (name === '@jest/globals') return false;
  const isPackage = !/^[./]/.test(name);
  return isPackage || (/\/(?:src|test\/shared)\//.test(resolve(dirname(from), name)) && !name.endsWith('.test'));
}
