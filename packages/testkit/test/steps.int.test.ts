import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const STEPS = join(__dirname, '../../../scripts/steps.mjs');

/** The output of the steps of getting ready, on a pipe. */
function show(calls: string): string {
  const program = `import { showSteps } from ${JSON.stringify(STEPS)}; const steps = showSteps(process.stderr); ${calls}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stderr;
}

describe('the steps of getting ready', () => {
  it('are a line each when they begin, and one with their time, without spinner or colour on a pipe', () => {
    expect(
      show(`steps.begin('Dependencies', 'installing'); steps.begin('Build', '3 files'); steps.end(true);`),
    ).toMatch(
      /^begins Dependencies +installing\ndone {3}Dependencies +\d+\.\d s\nbegins Build +3 files\ndone {3}Build +\d+\.\d s\n$/,
    );
  });

  it('mark the one that failed', () => {
    expect(show(`steps.begin('Dependencies', 'installing'); steps.end(false);`)).toMatch(/\nFAILED Dependencies +\d/);
  });

  it('are nothing when nothing had to be done', () => {
    expect(show('steps.end(true);')).toBe('');
  });
});
