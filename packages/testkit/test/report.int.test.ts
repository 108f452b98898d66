import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const REPORT = join(__dirname, '../../../scripts/report.mjs');

/** The lines that a run of these steps prints, and its exit code. */
function report(...steps: string[]) {
  const program = `import { report } from ${JSON.stringify(REPORT)}; await report([${steps.join(', ')}]);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const step = (passed: number, failed: number, skipped = 0) =>
  `async () => (${JSON.stringify({ passed, failed, skipped })})`;

describe('the report of a run', () => {
  it('ends with how long it took and how many passed, of all steps together', () => {
    const { status, lines } = report(step(4, 0), step(38, 0));
    expect(lines).toEqual([expect.stringMatching(/^took \d+ s$/), '42 passed, 0 failed']);
    expect(status).toBe(0);
  });

  it('is a failure where a test failed, and says what was skipped', () => {
    expect(report(step(4, 1), step(5, 0, 2))).toMatchObject({
      status: 1,
      lines: [expect.any(String), '9 passed, 1 failed, 2 skipped'],
    });
  });

  it('counts a step that broke as one failure, and goes on with the next', () => {
    const { status, lines } = report(`async () => { throw new Error('no compiler'); }`, step(5, 0));
    expect(lines[0]).toContain('no compiler');
    expect(lines.at(-1)).toBe('5 passed, 1 failed');
    expect(status).toBe(1);
  });

  it('is a failure where nothing ran', () => {
    expect(report(step(0, 0))).toMatchObject({ status: 1 });
  });
});
