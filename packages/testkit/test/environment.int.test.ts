import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** Runs these test files one after the other in one process, which they share. */
function runTogether(...files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-files-'));
  files.forEach((text, index) => {
    writeFileSync(join(folder, `${index}.test.js`), text);
  });
  const config = {
    rootDir: folder,
    testEnvironment: join(ROOT, 'packages/testkit/jest/environment.cjs'),
    runtime: join(ROOT, 'packages/testkit/jest/runtime.cjs'),
    testSequencer: join(ROOT, 'packages/testkit/jest/sequencer.cjs'),
    transform: {},
  };
  try {
    const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--config', JSON.stringify(config)];
    const { status, stderr } = spawnSync(process.execPath, jest, { cwd: folder, encoding: 'utf8' });
    return { status, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fails where another file's settings are still there, then makes its own. */
const SETTER = `
  const left = ['TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES'].filter((name) => Symbol.for(name) in globalThis);
  jest.setTimeout(60_000);
  jest.retryTimes(1);
  it('finds no settings of another file', () => expect(left).toEqual([]));
`;

describe('test files that share a process', () => {
  it('take no limit of time and no count of retries from each other', () => {
    const { status, stderr } = runTogether(SETTER, SETTER);
    expect(stderr).toContain('2 passed, 2 total');
    expect(status).toBe(0);
  });
});
