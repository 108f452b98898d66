import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createFinisher, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { findPrometheus, runSql, until } from '@mediagate/testkit';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { type FiringAlert, type Prometheus, startPrometheus } from './prometheus';
import { shortenedRules } from './shortened-rules';
import { startTextVendor, type TextVendor } from './text-vendor';

const UNIT = 1_000_000_000n;
const SERVICES = ['api', 'image', 'webhook-delivery', 'reconciler'] as const;
type Service = (typeof SERVICES)[number];
const DASHBOARD = join(__dirname, '../../deploy/helm/mediagate/files/dashboard.json');
/** The interval of the reconciler's measurements, with time for two scrapes. */
const MEASURED_MS = 25_000;
/** Less than a statement may take. */
const LOCKED_SECONDS = 9;
const LOCKED_ROUNDS = 2;

const { alerts, text: rules } = shortenedRules();
const program = findPrometheus();

let home: string;
let system: System<Service>;
let vendor: TextVendor;
let prometheus: Prometheus;
let account: SystemAccount;
/** All that have fired until now. */
const fired = new Map<string, FiringAlert>();
/** Since the test began. */
const firedNow = new Set<string>();

async function configuration(): Promise<string> {
  const text = readFileSync(join(__dirname, 'one-channel-a-model.yaml'), 'utf8');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return text.replace('TEXT_VENDOR', vendor.url).replace('TOMORROW', tomorrow);
}

async function look(): Promise<void> {
  for (const alert of await prometheus.firing()) {
    fired.set(alert.labels.alertname, alert);
    firedNow.add(alert.labels.alertname);
  }
}

/** Resolves once all of them have fired. */
async function untilFired(...names: string[]): Promise<void> {
  await until(async () => {
    await look();
    return names.every((name) => firedNow.has(name));
  });
}

const image = (model: string, prompt: string, more: object = {}) => account.caller.submit({ model, prompt, ...more });

/** Prompts that differ, so that no vendor takes one for another. */
const prompts = (count: number, directive = '') =>
  Array.from({ length: count }, (_, index) => `a lighthouse ${index} ${directive}`);

beforeAll(async () => {
  if (program === undefined) return;
  home = await mkdtemp(join(tmpdir(), 'mediagate-alerts-'));
  vendor = await startTextVendor();
  system = await startSystem({
    services: SERVICES,
    config: await configuration(),
    ownRedis: true,
    env: { AUDIT_SECONDS: '2', API_POOL_SIZE: '2', MEDIAGATE_HOME: home, ...endedCertificate(home) },
  });
  const targets = Object.values(system.services).map(({ metricsUrl }) => metricsUrl);
  prometheus = await startPrometheus({ program, rules, targets });
  account = await system.account(1000n * UNIT);
  // A counter's first value has to be scraped before the counter can rise from it.
  await delay(6000);
});

beforeEach(() => firedNow.clear());

afterAll(async () => {
  await prometheus?.stop();
  await system?.stop();
  await vendor?.stop();
  if (home) await rm(home, { recursive: true, force: true });
});

const when = program === undefined ? describe.skip : describe;

when('what is wrong with vendors', () => {
  it('keys that are refused open a breaker', async () => {
    for (const prompt of prompts(6, '[[sim:auth]]')) await image('imagegen-2.5-flare', prompt);
    await untilFired('MediagateVendorRefusesUs', 'MediagateBreakerOpen');
  });

  it('a name that the vendor does not have opens the breaker of its model', async () => {
    for (const prompt of prompts(6)) await image('imagegen-2.5-sunburst', prompt);
    await untilFired('MediagateModelBreakerOpen');
  });

  it('answers that are lost fail tasks and fill the quarantine', async () => {
    const ids = await Promise.all(prompts(4, '[[sim:reset-after]]').map((prompt) => image('imagefast-ext', prompt)));
    for (const id of ids) expect((await account.caller.ended(id)).status).toBe('failed');
    // A counter that begins with its first fault rises with its second.
    await delay(6000);
    for (const prompt of prompts(2, '[[sim:reset-after]] again')) await image('imagefast-ext', prompt);
    await untilFired('MediagateVendorFaults', 'MediagateTasksFailing', 'MediagateQuarantine');
  });

  it('a channel has as many jobs as it may', async () => {
    await image('imageseed-4.0', 'a slow lighthouse [[sim:latency=60s]]');
    await untilFired('MediagateChannelFull', 'MediagateModelRetires');
  });
});

when('what is wrong with models', () => {
  it('a text comes from another model than was asked', async () => {
    for (const pause of [6000, 0]) {
      const asked = ask();
      await vendor.answer(5, 'gemini-3.5-flash-lite');
      expect((await asked).status).toBe(200);
      await delay(pause);
    }
    await untilFired('MediagateOtherModelAnswers');
  });

  it('a vendor does not list a name that its channel uses', async () => {
    const asked = { channelId: 'sim-images', names: ['a name of last year'] };
    await system.database.claimNamesLook(asked);
    await system.database.noteUnlisted(asked, asked.names);
    await untilFired('MediagateNamesUnlisted');
  });
});

when('what is wrong with money', () => {
  it('a vendor charges more than the accounts paid', async () => {
    await account.caller.ended(await image('imagegen-2', 'a dear lighthouse'));
    await delay(6000);
    await account.caller.ended(await image('imagegen-2', 'another'));
    await untilFired('MediagateMarginNegative');
  });

  it('a text used more than was reserved', async () => {
    const asked = ask();
    await vendor.answer(MAX_OUTPUT_TOKENS + 1);
    expect((await asked).status).toBe(200);
    await untilFired('MediagateOverruns');
  });

  it('a text was answered whose task somebody else had ended', async () => {
    const asked = ask();
    const task = { accountId: account.accountId, family: 'text', status: 'processing' };
    await until(async () => (await system.database.task.count({ where: task })) === 1);
    const { id } = await system.database.task.findFirstOrThrow({ where: task });
    const outcome = { kind: 'failed', error: taskError('cancelled') } as const;
    await createFinisher(system.database)({
      taskId: id as TaskId,
      accountId: account.accountId,
      fence: 'any',
      outcome,
    });
    await vendor.answer(5);
    await asked;
    await untilFired('MediagateSettlementsLost');
  });

  it('an account is about to run out, and the books of another are wrong', async () => {
    await system.account(UNIT / 2n);
    const { accountId: id } = await system.account(UNIT);
    await system.database.account.update({ where: { id }, data: { heldNano: 7n } });
    await untilFired('MediagateLowBalances', 'MediagateAuditViolations');
    await system.database.account.update({ where: { id }, data: { heldNano: 0n } });
  });
});

when('what is wrong with results', () => {
  it('the certificate that signs them has ended', async () => {
    await account.caller.ended(await image('imagegen-2', 'a lighthouse without a signature'));
    await untilFired('MediagateResultsUnmarked', 'MediagateSigningCertificateEnds');
    // The key of another one.
    await writeFile(join(home, 'signing.key'), makeDevelopmentCertificate().key);
    await untilFired('MediagateSigningChangeRefused');
  });
});

when('what is wrong with callbacks', () => {
  it('a receiver fails as often as it is tried', async () => {
    await system.simulator.script('broken', Array(50).fill(500));
    const webhook = system.simulator.receiverUrl('broken');
    for (const prompt of prompts(12, 'with a callback')) await image('imagegen-2', prompt, { webhook });
    await untilFired('MediagateCallbacksGivenUp');
  });

  it('a notice goes where nothing may be sent', async () => {
    const target = {
      id: 'target_lost',
      owner: 'operators',
      medium: 'slack',
      address: 'http://10.0.0.1/',
      language: 'en',
    };
    await system.database.noticeTarget.create({ data: target });
    await system.database.noticeMessage.create({
      data: { id: 'message_lost', targetId: target.id, isTest: true, notices: [] },
    });
    await untilFired('MediagateNoticesFailing');
  });
});

when('what is wrong with the processes', () => {
  it('results cannot be kept', async () => {
    const media = join(home, 'media');
    await rename(media, `${media}.away`);
    await writeFile(media, 'no folder');
    await untilFired('MediagateStorageFailing');
    await rm(media);
    await rename(`${media}.away`, media);
  });

  it('the database is held up', async () => {
    const held = holdTasks();
    const until = Date.now() + LOCKED_ROUNDS * LOCKED_SECONDS * 1000;
    const crowd = Array.from({ length: 12 }, async (_, index) => {
      while (Date.now() < until) {
        if (index % 4 === 0) await account.caller.post('/v1/images/generations', IMAGE).catch(() => undefined);
        else await account.caller.get('/v1/tasks?status=failed').catch(() => undefined);
        await look();
      }
    });
    await Promise.all([...crowd, held]);
    await untilFired('MediagateApiErrors', 'MediagateApiSlow', 'MediagateDatabaseBusy', 'MediagateDatabaseUnreachable');
  });

  it('Redis is gone', async () => {
    await system.redis?.kill();
    await untilFired('MediagateRedisUnreachable');
  });

  it('workers and senders are gone', async () => {
    await Promise.all([system.services.image.kill(), system.services['webhook-delivery'].kill()]);
    const id = await image('imagegen-2', 'a lighthouse that nobody takes');
    await runSql(system.database, `update tasks set next_step_at = now() - interval '10 minutes' where id = $1`, [id]);
    await runSql(
      system.database,
      `update webhook_deliveries set state = 'pending', ended_at = null, next_attempt_at = now() - interval '10 minutes'
        where id = (select min(id) from webhook_deliveries)`,
    );
    await delay(MEASURED_MS);
    await untilFired('MediagateProcessDown', 'MediagateTasksNotTaken', 'MediagateCallbacksLate');
  });

  it('nobody audits', async () => {
    await system.services.reconciler.kill();
    await untilFired('MediagateAuditMissing');
  });
});

when('after all of that', () => {
  it.each(alerts)('%s has fired, and says what it is about', (alert) => {
    const { annotations } = fired.get(alert) as FiringAlert;
    expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook_url', 'summary']);
    expect(Object.values(annotations).join('\n')).not.toMatch(/error expanding|<no value>|NaN/);
  });
});

when('the dashboard', () => {
  it.each(panels())('%s draws something of all of that', async (_title, expressions) => {
    const lines = await Promise.all(expressions.map((expression) => prometheus.lines(expression)));
    expect(expressions.filter((_expression, index) => lines[index] === 0)).toEqual([]);
  });
});

/** The title of each, and what it asks Prometheus for. */
function panels(): [string, string[]][] {
  const dashboard: Dashboard = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  return dashboard.panels.flatMap(({ title, targets }): [string, string[]][] =>
    targets === undefined ? [] : [[title, targets.map(({ expr }) => expr)]],
  );
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

function endedCertificate(folder: string): Record<string, string> {
  const { certificate, key } = makeDevelopmentCertificate({ from: new Date('2026-01-01'), days: 1 });
  const files = { certificate: join(folder, 'signing.pem'), key: join(folder, 'signing.key') };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key);
  return { MEDIAGATE_SIGNING_CERTIFICATE_FILE: files.certificate, MEDIAGATE_SIGNING_KEY_FILE: files.key };
}

const MAX_OUTPUT_TOKENS = 10;
const IMAGE = { model: 'imagegen-2', prompt: 'a lighthouse', quality: 'low' };

function ask() {
  return account.caller.post('/v1beta/models/text-2.5-flash:generateContent', {
    contents: [{ parts: [{ text: 'Why do lighthouses blink?' }] }],
    generationConfig: { maxOutputTokens: MAX_OUTPUT_TOKENS },
  });
}

/** As a hand in the database does that forgot to commit. */
async function holdTasks(): Promise<void> {
  const hold = `do $$ begin lock table tasks in access exclusive mode; perform pg_sleep(${LOCKED_SECONDS}); end $$`;
  for (let round = 0; round < LOCKED_ROUNDS; round += 1) await runSql(system.database, hold);
}
