import { readText } from './checkout';
import { parseDockerIgnore } from './docker-ignore';

describe('.dockerignore', () => {
  const ignore = parseDockerIgnore(readText('.dockerignore'));

  it.each([
    'package.json',
    'pnpm-lock.yaml',
    'scripts/build.mjs',
    'services/api/src/main.ts',
    'packages/queue/package.json',
    'prisma/migrations/migration_lock.toml',
    'deploy/config/example.yaml',
    'deploy/image/healthcheck.cjs',
  ])('lets %s in', (path) => {
    expect(ignore.isIgnored(path)).toBe(false);
  });

  it.each([
    '.env',
    '.git/config',
    '.mediagate/secrets.json',
    'node_modules/express/index.js',
    'bench/results.json',
    'services/api/.env',
    'services/api/node_modules/x',
    'services/api/dist/main.js',
    'deploy/helm/mediagate/values.yaml',
    'packages/database/src/generated/client.ts',
    'services/api/src/server.test.ts',
    'services/api/x.log',
    'README.md',
  ])('keeps %s out', (path) => {
    expect(ignore.isIgnored(path)).toBe(true);
  });
});

it('the last line that matches decides, also for what is below', () => {
  const ignore = parseDockerIgnore('*\n!a\na/secret\n!a/secret/b.txt\n');
  expect(['x', 'a/file', 'a/secret/c.txt', 'a/secret/b.txt'].map(ignore.isIgnored)).toEqual([true, false, true, false]);
  expect([ignore.mayHoldMore('a'), ignore.mayHoldMore('x')]).toEqual([true, false]);
});

it('a pattern that it does not know is an error, not a guess', () => {
  expect(() => parseDockerIgnore('a[bc]')).toThrow('a[bc]');
});
