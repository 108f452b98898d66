import { openDatabase } from '@mediagate/database';
import { forEachTest, PATIENCE } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import { openLog, openWorld } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

async function readGauge(metrics: Registry, name: string): Promise<number | undefined> {
  return (await metrics.getSingleMetric(name)?.get())?.values[0]?.value;
}

function openAudit(database = world.database) {
  const { logger, lines } = openLog();
  const metrics = new Registry();
  return {
    job: world.reconciler({ database, logger, metrics }).auditLedger,
    lines,
    violations: () => readGauge(metrics, 'mediagate_audit_violations'),
    lastSuccess: () => readGauge(metrics, 'mediagate_audit_last_success_timestamp_seconds'),
    lastClean: () => readGauge(metrics, 'mediagate_audit_last_clean_timestamp_seconds'),
  };
}

/** A hold that the books know nothing of. */
async function cookTheBooks(): Promise<void> {
  await world.database.account.update({ where: { id: world.accountId }, data: { heldNano: 7n } });
}

describe('audit-ledger', () => {
  it('knows nothing before it has run', async () => {
    const { violations, lastSuccess } = openAudit();
    expect(await violations()).toBeNaN();
    expect(await lastSuccess()).toBe(0);
  });

  it('finds clean books clean and says when that was', async () => {
    await world.fail(await world.submit());
    const { job, lines, violations, lastSuccess, lastClean } = openAudit();
    const startedAt = Date.now() / 1000;
    expect(await job.run()).toEqual({ done: 0, more: false });
    expect(await violations()).toBe(0);
    expect(await lastSuccess()).toBeGreaterThanOrEqual(startedAt);
    expect(await lastClean()).toBeGreaterThanOrEqual(startedAt);
    expect(lines()).toEqual([]);
  });

  it('shouts, in the log and the gauge, when an invariant is broken, and mends nothing', async () => {
    await cookTheBooks();
    const { job, lines, violations, lastSuccess, lastClean } = openAudit();
    const { done } = await job.run();
    expect(done).toBeGreaterThan(0);
    expect(await violations()).toBe(done);
    expect(await lastSuccess()).toBeGreaterThan(0);
    expect(await lastClean()).toBe(0);
    expect(lines()).toHaveLength(done);
    expect(lines()[0]).toMatchObject({
      level: 'error',
      message: 'audit.violation',
      reason: 'account: held and settled = its reservations',
      detail: `${world.accountId}: held 7 settled 0, reservations 0 and 0`,
    });
    expect(await job.run()).toEqual({ done, more: false });
  });

  it('never lets an old result stand for one that failed', async () => {
    const database = openDatabase({
      url: world.databaseUrl,
      poolSize: 1,
      ...PATIENCE,
      applicationName: 'audit',
    });
    const { job, violations, lastSuccess } = openAudit(database);
    await job.run();
    const succeededAt = await lastSuccess();
    expect(await violations()).toBe(0);

    await database.close();
    await expect(job.run()).rejects.toThrow();
    expect(await violations()).toBeNaN();
    expect(await lastSuccess()).toBe(succeededAt);
  });
});
