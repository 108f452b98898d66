import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from './source-files';

const TEST = /\.(?:test|attack|losses|nights|cluster)\.ts$|\/test\/(?!house-style\/)|^e2e\/(?:system|jobs)\//;

/** Tests whose subject is the limit itself, and loops whose every round does a part of the work. */
const ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  'ends a statement after seconds': [
    'packages/database/test/database.int.test.ts',
    'packages/database/test/slow-opening.int.test.ts',
    'packages/database/test/url-options.int.test.ts',
    'packages/worker-runtime/test/outage.int.test.ts',
  ],
  // The processor's time, of which others take none.
  'judges how long something took': ['packages/host/src/log/redact.test.ts'],
  'waits in a loop that has no end': [
    'packages/billing/test/closed-months.ts',
    'packages/billing/test/sum-days.int.test.ts',
    'services/console/test/web/task-list.web.ts',
  ],
};

/** Ways in which a test fails on a busy machine alone, and the way that waits for it. */
const HASTY: Readonly<Record<string, RegExp>> = {
  'ends a statement after seconds': /statementTimeoutMs(?::| =) (?!60_000\b)\d/,
  // `holdTransaction` of the testkit.
  'holds a transaction open for the five seconds that Prisma gives it': /\$transaction\(\s*async\b/,
  // Without an argument it has the three minutes of all.
  'ends a test after a minute': /^\s*\}, [2-9]\d_000\);|^\s+[2-9]\d_000,\n\s*\);|\bTEST_LIMIT_MS = [1-9]\d_000;/m,
  // A clock of the test's own, `holdLimits` of the testkit, a count, or a wrong behaviour that never ends.
  'judges how long something took':
    /expect\((?:(?:performance|Date)\.now\(\) - \w+|ms|tookMs)\)\.toBeLess|expect\([^;]*\b(?:user|cpuUsage)\b[^;]*\.toBeLess/,
  // `until` of the testkit.
  'waits in a loop that has no end': /while \(!?\(?\(?await\b[^\n]*\)(?:;| await)/,
};

const tests = sourceFiles()
  .filter((file) => TEST.test(file) && /\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

it.each(Object.entries(HASTY))('no test %s', (what, pattern) => {
  const found = tests.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(found).toEqual(ON_PURPOSE[what] ?? []);
});
