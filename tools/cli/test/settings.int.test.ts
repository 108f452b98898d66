import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forAllTests } from '@mediagate/testkit';
import { openWorld, runIn } from './world';

const world = forAllTests(openWorld);
const shownBy = async (env: Record<string, string | undefined>, ...words: string[]) =>
  (await runIn({ ...env, MEDIAGATE_CONFIG: 'deploy/config/simulator.yaml' }, 'settings', 'show', ...words)).out;

it('shows each channel by what was set, in lines that fit a screen, and its defaults where they are asked for', async () => {
  const [out, all] = [await shownBy(world.env), await shownBy(world.env, '--all')];
  expect(out).toMatch(/^DATABASE_URL +set +environment$/m);
  expect(out).toMatch(/^Channel images-openai$/m);
  expect(out).toMatch(/^models\.\S+ +\S+ +file$/m);
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThan(240);
  expect(out).toContain('--all shows them');
  expect(all.split('\n').length).toBeGreaterThan(out.split('\n').length);
});

it('shows what npm start has written down as set', async () => {
  const { DATABASE_URL, REDIS_URL, MEDIAGATE_KEY_PEPPER, ...env } = world.env;
  const files = { 'run.json': { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL }, 'secrets.json': { keyPepper: 'x' } };
  const paths = Object.keys(files).map((name) => join(String(env['MEDIAGATE_HOME']), name));
  Object.values(files).forEach((content, index) => {
    writeFileSync(String(paths[index]), JSON.stringify(content));
  });
  const out = await shownBy(env);
  for (const path of paths) rmSync(path);
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'MEDIAGATE_KEY_PEPPER']) {
    expect(out).toMatch(new RegExp(`^${name} +set +npm start$`, 'm'));
  }
  expect(out).toMatch(/^CONSOLE_PUBLIC_URL +default$/m);
});
