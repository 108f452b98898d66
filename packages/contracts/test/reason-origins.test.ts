import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reason } from '../src';
import { REASON_ORIGINS } from './reason-origins';

const ROOT = join(__dirname, '../../..');
const ORIGINS = Object.entries(REASON_ORIGINS) as [Reason, readonly [file: string, name: string]][];

/** Each test of a source as it is written, with the table that an `it.each` is run over. One that is skipped is none. */
function testsIn(source: string): string[] {
  return [...source.matchAll(/^( *)it(?:\.each)?\b(?!\.)(?:.*\);$|[\s\S]*?^\1[\])}].*\);$)/gm)].map(([text]) => text);
}

it.each(ORIGINS)('%s arises in a test, which names it', (reason, [file, name]) => {
  const tests = testsIn(readFileSync(join(ROOT, file), 'utf8')).filter((text) => text.includes(`'${name}'`));
  expect(tests).toEqual([expect.stringContaining(`'${reason}'`)]);
});

describe('what is no test of a reason', () => {
  it.each([
    ['a test that is skipped', `it.skip('x', () => {\n  'timeout';\n});`],
    ['a list of what is to be tested', `it.todo('x');`],
    ['a name that stands elsewhere', `const x = ['x', 'timeout'];`],
  ])('is %s', (_what, source) => expect(testsIn(source)).toEqual([]));

  it('is the test after it', () => {
    const source = `  it('a', () => {\n    one();\n  });\n\n  it.each([\n    ['timeout'],\n  ])('b', (reason) => {\n    two(reason);\n  });`;
    expect(testsIn(source)).toEqual([
      expect.stringMatching(/'a'.*one/s),
      expect.stringMatching(/'timeout'.*'b'.*two/s),
    ]);
    expect(testsIn(source)[0]).not.toContain('timeout');
  });
});
