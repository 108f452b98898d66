const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's environment, with a context whose global object is an ordinary one. Jest's own is a proxy behind interceptors: every use
 * of `Math`, `Buffer` or `Promise` in a test goes through both, which takes up to nine tenths of a loop over samples or pixels.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
};
