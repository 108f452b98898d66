/*
 * The first import of every service. Imports are evaluated in order, so on a Node that is too old the process ends here, before
 * a library's failure to load hides the cause. What is supported: docs/adr/0096, and `isSupported` in scripts/node-program.cjs.
 * On one that is supported, what comes after is loaded from the service's pack, where it has one (docs/adr/0096).
 */
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const supported = major === 24 ? minor >= 11 : major >= 26;
if (!supported) {
  process.stderr.write(`mediagate needs Node 24.11 or newer (24, or 26 and up); this is ${node}\n`);
  process.exit(1);
}

// It is loaded only now: an older Node may not have what it imports.
const { prepareStart } = require('./prepare-start') as typeof import('./prepare-start');
prepareStart(module.parent?.filename ?? '');

export {};
