// Releases the commit that set-version made: `node scripts/release.mjs --image registry.example.com/mediagate --dry-run` (docs/releasing.md).
// Without --dry-run it builds the image, tags the commit and pushes both. The notes are printed; --notes prints nothing else.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = process.cwd();
const { image, 'dry-run': isDryRun, notes: isForNotes } = readOptions();
const { version } = JSON.parse(read('package.json'));
const notes = notesOf(version);
if (isForNotes) endWithNotes();
const faults = findFaults();
if (faults.length > 0) end(1, `${version} is not ready:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);

const names = imageTags().map((tag) => `${image}:${tag}`);
const commands = [
  ['docker', 'build', ...names.flatMap((name) => ['--tag', name]), '.'],
  // The tag comes only now: a build that failed can be tried again.
  ['git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`],
  ...names.map((name) => ['docker', 'push', name]),
  ['git', 'push', 'origin', `v${version}`],
];
for (const command of commands) {
  process.stderr.write(`${command.join(' ')}\n`);
  if (!isDryRun) run(command);
}
process.stdout.write(`${notes}\n`);

function readOptions() {
  try {
    const options = /** @type {const} */ ({
      image: { type: 'string' },
      'dry-run': { type: 'boolean' },
      notes: { type: 'boolean' },
    });
    const { values } = parseArgs({ options });
    if (values.image !== undefined || values.notes) return values;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
  }
  return end(2, 'Usage: node scripts/release.mjs --image <registry>/<name> [--dry-run] | --notes');
}

function endWithNotes() {
  if (!notes) end(1, `CHANGELOG.md says nothing about ${version}`);
  process.stdout.write(`${notes}\n`);
  process.exit(0);
}

/** All that would make the release another than what it says it is. */
function findFaults() {
  const chart = read('deploy/helm/mediagate/Chart.yaml');
  return [
    [git('status', '--porcelain') !== '', 'there are changes that are not committed'],
    [notes === undefined, `CHANGELOG.md has no part "## [${version}] - <date>": run scripts/set-version.mjs`],
    [notes === '', `CHANGELOG.md says nothing about ${version}`],
    [!chart.includes(`version: ${version}\nappVersion: ${version}\n`), 'the chart is of another version'],
    [tags().includes(version), `the tag v${version} is there already`],
  ].flatMap(([isFault, sentence]) => (isFault ? [sentence] : []));
}

/** The version itself, which never moves; its second number, which moves to fixes; `latest` unless a later release is out. */
function imageTags() {
  const isBefore = (one, other) => one.localeCompare(other, 'en', { numeric: true }) < 0;
  const minor = version.split('.').slice(0, 2).join('.');
  const fixes = tags().filter((tag) => tag.startsWith(`${minor}.`));
  const isNewest = (others) => others.every((other) => isBefore(other, version));
  return [version, ...(isNewest(fixes) ? [minor] : []), ...(isNewest(tags()) ? ['latest'] : [])];
}

function notesOf(wanted) {
  const [, ...parts] = read('CHANGELOG.md').split(/^## \[/m);
  const part = parts.find((text) => text.startsWith(`${wanted}] - `));
  return part?.slice(part.indexOf('\n')).trim();
}

function tags() {
  return git('tag', '--list', 'v*.*.*')
    .split('\n')
    .filter((tag) => tag !== '')
    .map((tag) => tag.slice(1));
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : end(1, stderr);
}

function run([program = '', ...args]) {
  const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) end(1, `${program} ${args[0]} failed${error ? `: ${error.message}` : ''}`);
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** @returns {never} */
function end(code, text) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
