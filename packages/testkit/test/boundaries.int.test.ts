import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** Imports of an invented tree, each with the rule that forbids it; `undefined`: it is allowed. */
const IMPORTS: [from: string, to: string, rule: string | undefined][] = [
  ['packages/billing/src/a.ts', 'packages/database/src/index.ts', undefined],
  ['packages/worker-runtime/src/a.ts', 'packages/media/src/index.ts', undefined],
  ['services/api/src/a.ts', 'packages/billing/src/index.ts', undefined],
  ['services/api/src/b.ts', 'node_modules/express/index.js', undefined],
  ['packages/queue/src/a.ts', 'node_modules/bullmq/index.js', undefined],
  ['packages/tasks/test/a.int.test.ts', 'packages/testkit/src/index.ts', undefined],
  ['e2e/a.test.ts', 'packages/testkit/src/index.ts', undefined],

  ['packages/contracts/src/a.ts', 'packages/database/src/index.ts', 'layer-contracts'],
  ['packages/egress/src/a.ts', 'packages/settings/src/index.ts', 'layer-egress'],
  ['packages/billing/src/b.ts', 'packages/tasks/src/index.ts', 'layer-billing'],
  ['packages/media/src/a.ts', 'packages/queue/src/index.ts', 'layer-media'],
  ['packages/novelty/src/a.ts', 'packages/contracts/src/index.ts', 'known-package'],
  ['packages/host/src/a.ts', 'services/api/src/c.ts', 'packages-below'],
  ['services/image/src/a.ts', 'services/api/src/c.ts', 'services-apart'],
  ['tools/dev/src/c.ts', 'services/api/src/c.ts', 'tools-apart'],
  ['tools/cli/src/a.ts', 'services/api/src/c.ts', 'command-line-asks-routes'],
  ['tools/cli/src/c.ts', 'services/api/src/operators-router.ts', undefined],
  ['simulator/src/a.ts', 'packages/contracts/src/index.ts', 'simulator-independent'],
  ['services/api/src/h.ts', 'simulator/src/c.ts', 'services-apart'],
  ['simulator/src/d.ts', 'services/api/src/c.ts', 'simulator-independent'],
  ['services/api/src/d.ts', 'packages/testkit/src/index.ts', 'testkit-in-tests'],
  ['services/api/src/i.ts', 'packages/testkit/src/answers/index.ts', 'testkit-in-tests'],
  ['packages/tasks/test/a.test.ts', 'packages/testkit/src/index.ts', 'unit-tests-alone'],
  ['services/api/src/e.ts', 'packages/testkit/src/servers/index.ts', 'local-servers-in-development'],
  ['tools/cli/src/b.ts', 'packages/testkit/src/servers/index.ts', 'local-servers-in-development'],
  ['tools/dev/src/a.ts', 'packages/testkit/src/servers/index.ts', undefined],
  ['tools/dev/src/b.ts', 'packages/testkit/src/index.ts', 'testkit-in-tests'],
  ['packages/tasks/src/a.ts', 'packages/database/src/pool.ts', 'enter-by-index'],
  ['services/api/src/f.ts', 'packages/database/src/pool.ts', 'enter-by-index-from-above'],
  ['services/api/src/g.ts', 'node_modules/bullmq/index.js', 'only-owner-bullmq'],
  ['services/api/src/routes/operators/a.ts', 'services/api/src/routes/public/b.ts', 'callers-and-operators-apart'],
  ['services/api/src/use-cases/a.ts', 'services/api/src/routes/a.ts', 'use-cases-without-http'],
  ['services/api/src/use-cases/b.ts', 'services/api/src/http/a.ts', 'use-cases-without-http'],
  ['services/api/src/use-cases/c.ts', 'node_modules/express/index.js', 'use-cases-without-http'],
  ['services/api/src/http/b.ts', 'services/api/src/use-cases/d.ts', undefined],
  ['packages/media/src/b.ts', 'node_modules/axios/index.js', 'only-owner-axios'],
  ['packages/billing/src/c.ts', 'node_modules/@prisma/client/index.js', 'only-owner--prisma-'],
];

let tree: string;
let violations: Map<string, string[]>;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'boundaries-'));
  for (const [, to] of IMPORTS) write(to, 'export const value = 1;\n');
  for (const [from, to] of IMPORTS) write(from, `export * from '${specifier(from, to)}';\n`);
  write('packages/catalog/src/hen.ts', `export * from './egg';\n`);
  write('packages/catalog/src/egg.ts', `export * from './hen';\n`);
  write('packages/queue/src/broken.ts', `export * from './nowhere';\n`);
  write('tsconfig.json', '{}');
  violations = cruise();
});

afterAll(() => rmSync(tree, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(tree, dirname(path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function specifier(from: string, to: string): string {
  if (to.startsWith('node_modules/')) return dirname(to).slice('node_modules/'.length);
  return `./${posix.relative(posix.dirname(from), to).replace(/\.ts$/, '')}`;
}

/** Broken rules by the file that breaks them. */
function cruise(): Map<string, string[]> {
  const program = join(ROOT, 'node_modules/.bin/depcruise');
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const folders = ['packages', 'services', 'tools', 'simulator', 'e2e'];
  const { stdout } = spawnSync(program, ['--config', config, '--output-type', 'json', ...folders], {
    cwd: tree,
    encoding: 'utf8',
  });
  const result = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  const byFile = new Map<string, string[]>();
  for (const { from, rule } of result.summary.violations) byFile.set(from, [...(byFile.get(from) ?? []), rule.name]);
  return byFile;
}

describe('the dependency rules', () => {
  it.each(IMPORTS)('%s -> %s: %s', (from, _to, rule) => {
    if (rule === undefined) expect(violations.get(from)).toBeUndefined();
    else expect(violations.get(from)).toContain(rule);
  });

  it('refuse a cycle', () => {
    const inCycle = ['hen', 'egg'].flatMap((name) => violations.get(`packages/catalog/src/${name}.ts`) ?? []);
    expect(inCycle).toContain('no-circular');
  });

  it('refuse an import that leads nowhere', () => {
    expect(violations.get('packages/queue/src/broken.ts')).toEqual(['resolvable']);
  });
});
