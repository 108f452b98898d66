import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { topUp } from '@mediagate/billing';
import { createAccount } from '@mediagate/identity';
import { addTarget, OPERATORS } from '@mediagate/notices';
import { forAllTests, runSql, testRedisUrl } from '@mediagate/testkit';
import { startProcess } from '@mediagate/testkit/servers';
import { openReceiver } from './notices/receivers';
import { openWorld, secondsFromNow } from './world';

/** A process starts in a few seconds; the first file of a run also waits until PostgreSQL has been set up. */
const world = forAllTests(openWorld);

const SETTINGS = `channels:
  - { id: a, protocol: openai-images, base_url: "http://127.0.0.1:9", api_key: "\${NEVER_SET}",
      models: { imagegen-2: x }, priority: 1, weight: 1 }
`;

async function start(env: Record<string, string> = {}) {
  const config = join(world.home, 'mediagate.yaml');
  await writeFile(config, SETTINGS);
  return startProcess({
    main: 'services/reconciler/src/main.ts',
    env: {
      MEDIAGATE_CONFIG: config,
      MEDIAGATE_HOME: world.home,
      DATABASE_URL: world.databaseUrl,
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: world.redisPrefix,
      MEDIAGATE_LINK_SECRET: 'a link secret for tests only',
      ...env,
    },
  });
}

describe('the process', () => {
  it('does its jobs from the start, reads the channels file again on SIGHUP and ends in order on SIGTERM', async () => {
    const lost = await world.submit({}, { nextStepAt: secondsFromNow(-10) });
    const overdue = await world.submit({}, { deadlineAt: secondsFromNow(-1) });
    const { child, exit, printed, output } = await start();
    await printed('"job":"dispatch-tasks"');
    await printed('"job":"expire-tasks"');
    expect(await world.jobs('image')).toEqual([`${lost}-0`]);
    expect((await world.database.task.findUniqueOrThrow({ where: { id: overdue } })).status).toBe('failed');

    child.kill('SIGHUP');
    await printed('settings.reloaded');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(output()).toContain('"TASK_RETENTION_DAYS":"30"');
    expect(output()).not.toContain('a link secret');
    expect(output()).not.toMatch(/"level":"error"|process\.drain_cut|process\.close_cut/);
  });

  it('does not start where records of tasks would keep their bookings for longer than the books are', async () => {
    const { exit, output } = await start({ TASK_RETENTION_DAYS: '94', BOOKS_RETENTION_MONTHS: '3' });
    expect(await exit).toBe(1);
    expect(output()).toContain('TASK_RETENTION_DAYS is 94, longer than the 3 months of BOOKS_RETENTION_MONTHS');
  });

  it('loses no notice and sends none anew when it is killed while it sends', async () => {
    const receiver = await openReceiver();
    const held = holdAnswers();
    receiver.state.slow = { path: '/slow', ended: held.ended };
    for (const path of ['/slow', '/quick']) {
      const target = { owner: OPERATORS, medium: 'webhook', kinds: [], language: 'en' } as const;
      await addTarget(world.database, { ...target, address: `${receiver.origin}${path}` }, { actor: 'cli:test' });
    }
    await addLowAccount('low');
    const env = { NOTICE_ALLOW_ORIGINS: receiver.origin };
    const killed = await start(env);
    await receiver.arrived('/slow', 1);
    await killed.printed('"outcome":"delivered"');
    killed.child.kill('SIGKILL');
    await killed.exit;
    held.release();

    await forgetLeases();
    await addLowAccount('lower');
    const next = await start(env);
    await Promise.all([receiver.arrived('/slow', 3), receiver.arrived('/quick', 2)]);
    next.child.kill('SIGTERM');
    expect(await next.exit).toBe(0);
    receiver.close();

    const received = (path: string) => receiver.at(path).map(({ headers, body }) => [headers['webhook-id'], body.text]);
    expect(received('/quick').map(([, text]) => text)).toEqual([
      expect.stringContaining('low ('),
      expect.stringContaining('lower ('),
    ]);
    const [first, ...others] = received('/slow');
    expect(others).toHaveLength(2);
    expect(others).toContainEqual(first);
    expect(new Set(received('/slow').map(([, text]) => text))).toEqual(
      new Set(received('/quick').map(([, text]) => text)),
    );
    const messages = await world.database.noticeMessage.findMany({ select: { state: true } });
    expect(messages).toEqual(Array.from({ length: 4 }, () => ({ state: 'delivered' })));
  });
});

function holdAnswers() {
  let release = () => {};
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { ended, release: () => release() };
}

async function addLowAccount(name: string): Promise<void> {
  const { id: accountId } = await createAccount(world.database, { name, webhookSecret: 'whsec_dGVzdA==' });
  await topUp(world.database, { accountId, amountNano: 1n });
}

/** Makes it look as if the process was killed longer ago than its leases last. */
async function forgetLeases(): Promise<void> {
  await runSql(world.database, 'delete from leases');
  await runSql(
    world.database,
    "update notice_messages set lease_until = now(), next_attempt_at = now() where state = 'pending'",
  );
}
