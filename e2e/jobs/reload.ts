import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';
import { until } from '../system/until';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(10_000_000_000n);
});

const IMAGE = { model: 'imageseed-4.0', prompt: 'a quay', n: 1 };
const channelOf = async (taskId: string) =>
  (await system.database.taskAttempt.findFirstOrThrow({ where: { taskId }, orderBy: { number: 'desc' } })).channelId;

/** Whom the operator's documents send the signal to: all services but those that their command leaves out. */
async function signalled(): Promise<string[]> {
  const text = await readFile(join(__dirname, '../../docs/deployment.md'), 'utf8');
  const [, leftOut = ''] = /docker compose kill --signal HUP .*grep -vxE '(.+)'/.exec(text) ?? [];
  expect(leftOut).not.toBe('');
  return Object.keys(system.services).filter((name) => !leftOut.split('|').includes(name));
}

it('every service that the documents send it to reads the channels again on SIGHUP, and the next task goes by them', async () => {
  const before = await account.caller.submit(IMAGE);
  expect(await account.caller.ended(before)).toMatchObject({ status: 'completed' });
  const written = await readFile(system.configPath, 'utf8');
  expect(written).toContain('id: images-ark\n');
  await writeFile(system.configPath, written.replace('id: images-ark\n', 'id: ark-anew\n'));

  const services = await signalled();
  expect(services).toEqual(Object.keys(system.services));
  const running = Object.values(system.services).filter(({ name }) => services.includes(name));
  for (const service of running) process.kill(service.pid(), 'SIGHUP');
  for (const { log } of running) await until(async () => log().includes('settings.reloaded'));

  const after = await account.caller.submit(IMAGE);
  expect(await account.caller.ended(after)).toMatchObject({ status: 'completed' });
  expect([await channelOf(before), await channelOf(after)]).toEqual(['images-ark', 'ark-anew']);
});
