const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { installCommonGlobals } = require('jest-util');
const { TestEnvironment } = require('jest-environment-node');

/**
 * The environment that the test files of this process share. Undefined before the first.
 *
 * @type {InstanceType<typeof TestEnvironment> | undefined}
 */
let shared;

/**
 * Jest's environment, with a context whose global object is an ordinary one. Jest's own is a proxy behind interceptors: every use
 * of `Math`, `Buffer` or `Promise` in a test goes through both, which takes up to nine tenths of a loop over samples or pixels.
 *
 * The test files that one process runs share the context, for they share the modules loaded into it (`runtime.cjs`). What a test
 * file changes of it is its own: `process` with its variables, timers that it fakes, spies, and what Jest puts there.
 */
module.exports = class {
  constructor(config, context) {
    shared ??= createShared(config, context);
    this.shared = shared;
    /** @type {any} */
    const global = shared.global;
    this.global = global;
    // Nothing else makes a copy of it.
    global.process = installCommonGlobals(/** @type {any} */ ({ Symbol, Date }), {}).process;
    this.moduleMocker = new ModuleMocker(global);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    // Jest makes these anew for each file, or one file sets them, and the next would find them.
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (JEST_STATE.has(String(key.description))) delete this.global[key];
    }
  }

  exportConditions() {
    return this.shared.exportConditions();
  }

  getVmContext() {
    return this.shared.getVmContext();
  }
};

const JEST_STATE = new Set([
  'EVENT_HANDLERS',
  'JEST_STATE_SYMBOL',
  'LOG_ERRORS_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'TEST_TIMEOUT_SYMBOL',
  'WAIT_BEFORE_RETRY',
]);

function createShared(config, context) {
  const { createContext } = vm;
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
  try {
    return new TestEnvironment(config, context);
  } finally {
    vm.createContext = createContext;
  }
}
