import { auditNow, topUp } from '@mediagate/billing';
import { createSendingRules, decide, postCallback } from '@mediagate/callbacks';
import { createChannelChooser, followOverrides, type SettingsInForce } from '@mediagate/channels';
import { timeOrderedId } from '@mediagate/contracts';
import { createAccount, createKey } from '@mediagate/identity';
import {
  addTarget,
  changeSettings,
  createMailer,
  isTestedOften,
  MAX_NOTICE_TARGETS,
  MAX_TESTS_PER_DAY,
  type NewTarget,
  OPERATORS,
  testTarget,
  watchNotices,
} from '@mediagate/notices';
import { attemptDelivery, forEachTest, runSql } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import { Webhook } from 'standardwebhooks';
import type { NoticeDeps } from '../../src/create-jobs';
import { openWorld } from '../world';
import { openMailServer, openReceiver, type Posted } from './receivers';

const BY = { actor: 'cli:test' };
const UNIT = 1_000_000_000n;
const SETTLED_MINUTES = 3;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 1440;
const REACH = { hasMail: true, allowPorts: [443], allowPrivateCidrs: [], allowOrigins: [], ownHosts: [] };
const CLAIM = { limit: 20, accountLimit: 15, share: 2, hostShare: 4, leaseMs: 60_000 };

let receiver: Awaited<ReturnType<typeof openReceiver>>;
let mail: Awaited<ReturnType<typeof openMailServer>>;
let notices: NoticeDeps;
let jobs: ReturnType<typeof open>;

beforeAll(async () => {
  [receiver, mail] = await Promise.all([openReceiver(), openMailServer()]);
  const webhooks = { retryDelaysSeconds: [10], timeoutSeconds: 5, allowPorts: [80, 443], allowPrivateCidrs: [] };
  const rules = createSendingRules(
    { ...webhooks, allowOrigins: [receiver.origin] },
    { ownHosts: [], maxConnections: 9 },
  );
  notices = {
    accountRules: () => rules,
    operatorRules: () => rules,
    mailer: createMailer({ url: mail.url, from: 'notices@gateway.example', timeoutMs: 60_000 }),
    reach: () => REACH,
  };
});
afterAll(async () => {
  receiver.close();
  await mail.close();
});
const world = forEachTest(openWorld);
beforeEach(async () => {
  await topUp(world.database, { accountId: world.accountId, amountNano: 100n * UNIT });
  jobs = open();
  receiver.posted.length = 0;
  receiver.state.status = 204;
  delete receiver.state.slow;
  mail.mails.length = 0;
  delete mail.state.refusal;
});
afterEach(() => world.close());

const open = (database = world.database) => {
  const metrics = new Registry();
  return { ...world.reconciler({ database, metrics, notices }), metrics };
};

/** A look, and what follows from it. */
async function look(): Promise<void> {
  await jobs.tellNotices.run();
  await jobs.sendNotices.run();
}

async function listen(path: string, more: Partial<NewTarget> = {}): Promise<string> {
  const target: NewTarget = { owner: OPERATORS, medium: 'webhook', kinds: [], language: 'en', address: '', ...more };
  const outcome = await addTarget(world.database, { ...target, address: `${receiver.origin}${path}` }, BY);
  if (outcome.kind !== 'changed') throw new Error('no target was made');
  return outcome.row.subject;
}

/** The notices reported at a path: kind and state of each, in order. */
const reported = (path: string) =>
  receiver.at(path).flatMap(({ body }) => body.notices.map(({ kind, state }: never) => [kind, state].join(' ')));

/** Everything that notices remember becomes so much older. */
async function age(minutes: number): Promise<void> {
  const older = (column: string) => `${column} = ${column} - make_interval(mins => $1)`;
  await runSql(
    world.database,
    `update notices set ${['since', 'ended_at', 'reported_at', 'standing_reported_at'].map(older).join(', ')}`,
    [minutes],
  );
  await runSql(world.database, 'update notice_messages set created_at = created_at - make_interval(mins => $1)', [
    minutes,
  ]);
}

async function spendAllBut(restNano: bigint): Promise<string> {
  const { toppedUpNano, heldNano, settledNano } = await world.database.account.findUniqueOrThrow({
    where: { id: world.accountId },
  });
  return world.submit({ reservedNano: toppedUpNano - heldNano - settledNano - restNano });
}

it('says what notices can reach, for those who judge new targets', async () => {
  await jobs.tellNotices.run();
  expect(await world.database.readNoticeReach()).toEqual([{ reach: REACH }]);
});

describe('a notice', () => {
  it('tells operators and the account of a balance that a submission took below the limit', async () => {
    await Promise.all([listen('/operators'), listen('/account', { owner: world.accountId })]);
    await look();
    expect(receiver.posted).toEqual([]);
    const task = await spendAllBut(UNIT / 4n);
    await look();
    for (const path of ['/operators', '/account']) expect(reported(path)).toEqual(['low_balance standing']);
    expect(receiver.at('/account')[0]?.body).toMatchObject({
      type: 'notices',
      more: 0,
      notices: [
        {
          kind: 'low_balance',
          subject: world.accountId,
          account_id: world.accountId,
          repeated: false,
          text: `The balance of the account payer (${world.accountId}) is 0.25, below 1.`,
          figures: { name: 'payer', balance: 0.25, limit: 1 },
        },
      ],
    });
    await world.fail(task as never);
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/account')).toEqual(['low_balance standing', 'low_balance resolved']);
  });

  it('goes by the limit that the account has set, and by that of operators for operators', async () => {
    await Promise.all([listen('/operators'), listen('/account', { owner: world.accountId })]);
    await changeSettings(world.database, { owner: world.accountId, change: { lowBalanceNano: UNIT / 2n } }, BY);
    await changeSettings(world.database, { owner: OPERATORS, change: { lowBalanceNano: UNIT / 10n } }, BY);
    await spendAllBut(UNIT / 4n);
    await look();
    expect([reported('/operators'), reported('/account')]).toEqual([[], ['low_balance standing']]);
  });

  it('tells at each percentage of a quota that a key and those it made have reached together', async () => {
    await listen('/account', { owner: world.accountId });
    const { id: keyId } = await createKey(world.database, 'a pepper for tests only', {
      accountId: world.accountId,
      name: 'website',
      quotaNano: 1000n,
    });
    const { id: made } = await createKey(world.database, 'a pepper for tests only', {
      accountId: world.accountId,
      makerId: keyId,
    });
    await world.submit({ keyId, reservedNano: 700n });
    await look();
    expect(reported('/account')).toEqual([]);
    await world.submit({ keyId: made, reservedNano: 110n });
    await look();
    await world.submit({ keyId: made, reservedNano: 150n });
    await look();
    const levels = receiver.at('/account').map(({ body }) => [body.notices[0].level, body.notices[0].text]);
    expect(levels).toEqual([
      [80, `The API key website (${keyId}) has used 81 % of its quota: 0.00000019 of 0.000001 is left.`],
      [95, `The API key website (${keyId}) has used 96 % of its quota: 0.00000004 of 0.000001 is left.`],
    ]);
  });

  it('tells operators of a channel whose breaker is open, for as long as its calls fail', async () => {
    await listen('/operators');
    const channels = createChannelChooser([]);
    const calls = Array.from({ length: 6 }, () =>
      channels.breaker('images-main').run('a-model', refusing, (fault) => fault),
    );
    await Promise.all(calls);
    const scope = {
      logger: {
        info: () => undefined,
        warn: (_event: string, { error }: { error: unknown }) => {
          throw error;
        },
      },
      defer: (_name: string, close: () => unknown) => closers.push(close),
    };
    const closers: (() => unknown)[] = [];
    const inForce = () => ({ channelSources: new Map() }) as unknown as SettingsInForce;
    await followOverrides(scope, { database: world.database, followed: { channels, inForce, override: () => {} } });
    await look();
    expect(reported('/operators')).toEqual([]);
    await runSql(world.database, "update open_breakers set opened_at = opened_at - interval '1 minute'", []);
    await look();
    expect(receiver.at('/operators')[0]?.body.text).toBe(
      'The channel images-main is failing: its tasks go to other channels, or wait. Its vendor refuses our key, our rights or our balance there.',
    );
    for (const close of closers) await close();
    await runSql(world.database, "update open_breakers set seen_at = seen_at - interval '1 minute'", []);
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/operators')).toEqual(['channel_sick standing', 'channel_sick resolved']);
  });

  it('tells operators of a model that a channel refuses, by its name, until an attempt at that model succeeds', async () => {
    await listen('/operators');
    const refused = [{ channelId: 'images-main', model: 'dead', fault: 'operator' as const }];
    const follow = (open: typeof refused) => world.database.followChannels('a-process', open);
    await follow(refused);
    await look();
    expect(reported('/operators')).toEqual([]);
    await runSql(world.database, "update open_model_breakers set opened_at = opened_at - interval '1 minute'", []);
    await look();
    expect(receiver.at('/operators')[0]?.body.text).toBe(
      'The channel images-main refuses dead: tasks of this model go to other channels, or wait. Its other models go on.',
    );
    await follow([]);
    expect(await world.database.listOpenBreakers()).toEqual([]);
    const attempt = async (model: string, state: string) => {
      const taskId = await world.submit({ model });
      const data = { channelId: 'images-main', protocol: 'p', state, number: 1, endedAt: new Date() };
      await world.database.taskAttempt.create({ data: { ...data, id: `att_${timeOrderedId()}`, taskId } });
    };
    const settle = async () => {
      await look();
      await age(SETTLED_MINUTES);
      await look();
    };
    await attempt('dead', 'refused');
    await attempt('living', 'succeeded');
    await settle();
    expect(reported('/operators')).toEqual(['channel_sick standing']);
    await attempt('dead', 'succeeded');
    await settle();
    expect(reported('/operators')).toEqual(['channel_sick standing', 'channel_sick resolved']);
  });

  it('tells operators once of names that a vendor does not list, again when there are more, and when all are listed', async () => {
    await listen('/operators');
    const asked = { channelId: 'images-main', names: ['dead', 'dying'] };
    await world.database.claimNamesLook(asked);
    for (const names of [['dead'], ['dead'], ['dead', 'dying']]) {
      await world.database.noteUnlisted(asked, names);
      await look();
    }
    expect(receiver.at('/operators').map(({ body }) => body.notices[0].figures)).toEqual([
      { names: 'dead', count: 1 },
      { names: 'dead, dying', count: 2 },
    ]);
    expect(receiver.at('/operators')[0]?.body.text).toBe(
      'The vendor of the channel images-main does not list these names of models, which the channel uses: dead.',
    );
    await world.database.noteUnlisted(asked, []);
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/operators').at(-1)).toBe('names_unlisted resolved');
  });

  it('tells of an account whose callbacks a receiver refuses, unless more of them are delivered', async () => {
    await Promise.all([listen('/operators'), listen('/account', { owner: world.accountId })]);
    await callBack(4, 410);
    await look();
    expect(reported('/account')).toEqual([]);
    await callBack(1, 410);
    await look();
    for (const path of ['/operators', '/account']) expect(reported(path)).toEqual(['callbacks_failing standing']);
    await callBack(6, 204);
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/account')).toEqual(['callbacks_failing standing', 'callbacks_failing resolved']);
  });

  it('tells operators of what an audit of the books has found, and once the books are right again', async () => {
    await listen('/operators');
    await world.database.account.update({ where: { id: world.accountId }, data: { heldNano: 7n } });
    await auditNow(world.database, 'cli:test');
    await look();
    expect(receiver.at('/operators')[0]?.body.text).toMatch(/^The audit audit_1 of the books found violations: \d+\.$/);
    await world.database.account.update({ where: { id: world.accountId }, data: { heldNano: 0n } });
    await auditNow(world.database, 'cli:test');
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/operators')).toEqual(['audit_violation standing', 'audit_violation resolved']);
  });

  it('tells operators, and no account, of a place that a process could not write to for half a minute', async () => {
    await Promise.all([listen('/operators'), listen('/account', { owner: world.accountId })]);
    const report = (...places: string[]) =>
      world.database.reportStorage(
        'process',
        places.map((place) => ({ place, kind: 'full' })),
      );
    const standsFor = async (seconds: number) => {
      const earlier = "update storage_faults set since = now() - make_interval(secs => $1) where place = 'storage'";
      await runSql(world.database, earlier, [seconds]);
      await look();
      return reported('/operators');
    };
    await report('storage', 'work');
    expect(await standsFor(25)).toEqual([]);
    expect(await standsFor(30)).toEqual(['storage_failing standing']);
    expect(receiver.at('/operators')[0]?.body).toMatchObject({
      notices: [{ subject: 'storage', account_id: null, figures: { fault: 'full', processes: 1 } }],
    });
    await report('work');
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/operators')).toEqual(['storage_failing standing', 'storage_failing resolved']);
    expect(reported('/account')).toEqual([]);
  });

  it('tells that a place works again once the processes that could not write to it are silent', async () => {
    await listen('/operators');
    await world.database.reportStorage('process', [{ place: 'work', kind: 'read_only' }]);
    const shift = (columns: string) => runSql(world.database, `update storage_faults set ${columns}`, []);
    await shift("since = since - interval '1 minute'");
    await look();
    await shift("seen_at = seen_at - interval '31 seconds'");
    await look();
    await age(SETTLED_MINUTES);
    await look();
    expect(reported('/operators')).toEqual(['storage_failing standing', 'storage_failing resolved']);
  });
});

describe('what is over', () => {
  const AUDIT = 'insert into audit_runs (whole, started_at, ended_at, violations) values ($1, now(), now(), $2::jsonb)';
  const FOUND = JSON.stringify([{ invariant: 'i', subject: 's', detail: 'd' }]);
  const later = async () => {
    await look();
    await age(SETTLED_MINUTES);
    await look();
  };

  it('is not what a whole audit has found, for an audit of what was booked of late', async () => {
    await listen('/operators');
    await runSql(world.database, AUDIT, [true, FOUND]);
    await runSql(world.database, AUDIT, [false, '[]']);
    await later();
    expect(reported('/operators')).toEqual(['audit_violation standing']);
    await runSql(world.database, AUDIT, [true, '[]']);
    await later();
    expect(reported('/operators')).toEqual(['audit_violation standing', 'audit_violation resolved']);
  });

  it('is nothing of an account while it is suspended, nor of a key that is revoked', async () => {
    await listen('/account', { owner: world.accountId });
    const { id } = await createKey(world.database, 'pepper', { accountId: world.accountId, quotaNano: 100n });
    await world.database.apiKey.update({ where: { id }, data: { settledNano: 99n } });
    await spendAllBut(0n);
    await look();
    await world.database.account.update({ where: { id: world.accountId }, data: { state: 'suspended' } });
    await world.database.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    await later();
    await age(DAY_MINUTES);
    await look();
    expect(reported('/account').sort()).toEqual(['key_quota standing', 'low_balance standing']);
    await world.database.account.update({ where: { id: world.accountId }, data: { state: 'active' } });
    await later();
    expect(reported('/account').slice(2)).toEqual(['low_balance standing']);
  });

  it('is no channel whose process has ended, until an attempt there succeeds', async () => {
    await listen('/operators');
    await runSql(
      world.database,
      `insert into open_breakers (process_id, channel_id, opened_at) values ('one', 'images-main', now() - interval '1 hour')`,
      [],
    );
    const attempt = async (state: string) => {
      const data = { channelId: 'images-main', protocol: 'p', state, number: 1, endedAt: new Date() };
      await world.database.taskAttempt.create({ data: { ...data, id: `att_${timeOrderedId()}`, taskId: state } });
    };
    await attempt('refused');
    await look();
    await runSql(world.database, 'delete from open_breakers', []);
    await later();
    expect(reported('/operators')).toEqual(['channel_sick standing']);
    await attempt('accepted');
    expect(await world.database.endSickChannels(1, 1)).toEqual([{ ended: 0 }]);
    await attempt('succeeded');
    await later();
    expect(reported('/operators')).toEqual(['channel_sick standing', 'channel_sick resolved']);
  });
});

describe('telling', () => {
  it('goes on about all else while looks fail, and says nothing of what they are about', async () => {
    await listen('/operators');
    await spendAllBut(0n);
    const failing = (...looks: (string | symbol)[]) =>
      new Proxy(world.database, {
        get: (database, name) =>
          looks.includes(name) ? () => Promise.reject(new Error('no such table')) : Reflect.get(database, name),
      });
    await expect(watchNotices(failing('watchAudits', 'watchChannels'))).rejects.toMatchObject({ errors: [{}, {}] });
    await jobs.sendNotices.run();
    expect(reported('/operators')).toEqual(['low_balance standing']);

    await topUp(world.database, { accountId: world.accountId, amountNano: 100n * UNIT });
    await world.database.watchLowBalances(UNIT);
    await age(SETTLED_MINUTES);
    await expect(watchNotices(failing('watchLowBalances'))).rejects.toMatchObject({ errors: [{}] });
    await jobs.sendNotices.run();
    expect(reported('/operators')).toEqual(['low_balance standing']);
    await look();
    expect(reported('/operators')).toEqual(['low_balance standing', 'low_balance resolved']);
  });

  it('is anew of a level that was lower for a quiet time', async () => {
    await listen('/account', { owner: world.accountId });
    const { id } = await createKey(world.database, 'pepper', { accountId: world.accountId, quotaNano: 100n });
    const levels = async (settledNano: bigint) => {
      await world.database.apiKey.update({ where: { id }, data: { settledNano } });
      await look();
      return receiver.at('/account').flatMap(({ body }) => body.notices.map(({ level }: never) => level));
    };
    expect(await levels(96n)).toEqual([95]);
    expect(await levels(85n)).toEqual([95]);
    expect(await levels(96n)).toEqual([95]);
    await levels(85n);
    await age(HOUR_MINUTES);
    await look();
    expect(await levels(96n)).toEqual([95, 95]);
  });

  it('is once, however many reconcilers look and send at once', async () => {
    await listen('/operators');
    await spendAllBut(0n);
    const both = [jobs, open(world.other)];
    // The statements alone see to it, also without the lease.
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        both.map(async (each) => {
          await each.tellNotices.run();
          await world.forgetLeases();
          await each.sendNotices.run();
        }),
      );
    }
    await jobs.sendNotices.run();
    expect(reported('/operators')).toEqual(['low_balance standing']);
  });

  it('is repeated after the interval while the condition stands, and not after one of 0', async () => {
    await listen('/account', { owner: world.accountId });
    await spendAllBut(0n);
    await look();
    await age(DAY_MINUTES - 1);
    await look();
    expect(receiver.posted).toHaveLength(1);
    await age(1);
    await look();
    expect(receiver.posted.map(({ body }) => body.notices[0].repeated)).toEqual([false, true]);
    await changeSettings(world.database, { owner: world.accountId, change: { repeatMinutes: 0 } }, BY);
    await age(DAY_MINUTES);
    await look();
    expect(receiver.posted).toHaveLength(2);
  });

  it('of a condition that comes and goes is once in a quiet time, and its end at most once, too', async () => {
    await listen('/account', { owner: world.accountId });
    for (let minute = 0; minute < HOUR_MINUTES; minute += 2 * SETTLED_MINUTES) {
      const task = await spendAllBut(0n);
      await look();
      await age(SETTLED_MINUTES);
      await world.fail(task as never);
      await look();
      await age(SETTLED_MINUTES);
      await look();
    }
    expect(reported('/account')).toEqual(['low_balance standing', 'low_balance resolved']);
    await spendAllBut(0n);
    await look();
    expect(reported('/account').slice(2)).toEqual(['low_balance standing']);
  });

  it('of many at once is one message a target, which says how many did not fit', async () => {
    await listen('/operators');
    await runSql(
      world.database,
      `insert into accounts (id, name, webhook_secret, topped_up_nano)
        select 'poor-' || n, 'poor ' || n, 'whsec_dGVzdA==', 1 from generate_series(1, 25) n`,
      [],
    );
    await look();
    expect(receiver.posted.map(({ body }) => [body.notices.length, body.more, body.text])).toEqual([
      [20, 5, 'Notices: 25'],
    ]);
  });

  it('has what is worst first, and a few keys of all for operators, whatever was found first', async () => {
    await Promise.all([listen('/operators'), listen('/account', { owner: world.accountId })]);
    await runSql(
      world.database,
      `insert into api_keys (id, account_id, name, secret_hash, last_four, quota_nano, settled_nano)
        select 'full-' || n, $1, 'full', '', '0000', 100, 100 from generate_series(1, 25) n`,
      [world.accountId],
    );
    await world.database.account.update({ where: { id: world.accountId }, data: { heldNano: 7n } });
    await auditNow(world.database, 'cli:test');
    await look();
    const [{ body: toOperators }, { body: toAccount }] = ['/operators', '/account'].map(
      (path) => receiver.at(path)[0] as Posted,
    ) as [Posted, Posted];
    expect(reported('/operators')).toEqual(['audit_violation standing', ...Array(3).fill('key_quota standing')]);
    expect(toOperators).toMatchObject({ text: 'Notices: 26', more: 22 });
    expect([toAccount.notices.length, toAccount.more]).toEqual([20, 5]);
  });

  it('goes to targets of its kind alone, and to none that was removed', async () => {
    await listen('/quota', { kinds: ['key_quota'] });
    const id = await listen('/removed');
    await spendAllBut(0n);
    await jobs.tellNotices.run();
    await world.database.removeNoticeTarget(id, OPERATORS, BY);
    await jobs.sendNotices.run();
    expect(receiver.posted).toEqual([]);
    const [message] = await world.database.noticeMessage.findMany({ where: { targetId: id } });
    expect(message).toMatchObject({ state: 'dropped', reason: 'target_removed' });
  });
});

describe('a message', () => {
  it('is signed as callbacks are: by the secret of the account, and of operators by that of the target', async () => {
    await listen('/account', { owner: world.accountId });
    const added = await addTarget(
      world.database,
      { owner: OPERATORS, medium: 'webhook', address: `${receiver.origin}/operators`, kinds: [], language: 'en' },
      BY,
    );
    await spendAllBut(0n);
    await look();
    const verified = (posted: Posted | undefined, secret = '') =>
      new Webhook(secret).verify(posted?.text ?? '', posted?.headers as Record<string, string>);
    expect(verified(receiver.at('/account')[0], 'whsec_dGVzdA==')).toMatchObject({ type: 'notices' });
    expect(verified(receiver.at('/operators')[0], added.secret)).toMatchObject({ type: 'notices' });
    expect(receiver.at('/account')[0]?.headers['webhook-id']).toBe(receiver.at('/account')[0]?.body.id);
  });

  it('is tried again with the same id and bytes while its receiver fails, and counted', async () => {
    await listen('/operators');
    await spendAllBut(0n);
    receiver.state.status = 503;
    await look();
    await jobs.sendNotices.run();
    expect(receiver.posted).toHaveLength(1);
    receiver.state.status = 204;
    await runSql(world.database, "update notice_messages set next_attempt_at = now() - interval '1 second'", []);
    await jobs.sendNotices.run();
    await jobs.sendNotices.run();
    const [first, second, ...others] = receiver.posted;
    expect([second?.text, others]).toEqual([first?.text, []]);
    const { values } = (await jobs.metrics.getSingleMetric('mediagate_notice_attempts_total')?.get()) ?? { values: [] };
    expect(values.filter(({ value }) => value > 0).map(({ labels }) => labels)).toEqual([
      { medium: 'webhook', outcome: 'delivered' },
      { medium: 'webhook', outcome: 'retry' },
    ]);
  });

  it('whose sender died is sent by another once its lease is over', async () => {
    await listen('/operators');
    await spendAllBut(0n);
    await jobs.tellNotices.run();
    const [claimed] = await world.database.claimNoticeMessages(CLAIM);
    await jobs.sendNotices.run();
    expect(receiver.posted).toEqual([]);
    const lapse = `update notice_messages set lease_until = now() - interval '1 second', next_attempt_at = now() - interval '1 second'`;
    await runSql(world.database, lapse, []);
    await jobs.sendNotices.run();
    expect(receiver.posted.map(({ body }) => body.id)).toEqual([claimed?.id]);
  });

  it('goes nowhere that callbacks may not go', async () => {
    const address = 'http://169.254.169.254/latest';
    await addTarget(
      world.database,
      { owner: world.accountId, medium: 'webhook', address, kinds: [], language: 'en' },
      BY,
    );
    await spendAllBut(0n);
    await look();
    expect(await world.database.noticeMessage.findMany()).toMatchObject([
      { state: 'dropped', reason: 'blocked_address' },
    ]);
  });

  it('of Slack has its text and blocks, in which a name is no markup', async () => {
    await world.database.account.update({ where: { id: world.accountId }, data: { name: 'A & <!channel> > B' } });
    await listen('/slack', { medium: 'slack' });
    await spendAllBut(0n);
    await look();
    const [{ body, headers } = { body: {}, headers: {} }] = receiver.at('/slack');
    expect(body.text).toContain('account A &amp; &lt;!channel&gt; &gt; B (');
    expect(body.blocks).toEqual([
      { type: 'section', text: { type: 'mrkdwn', text: expect.stringContaining(body.text), verbatim: true } },
    ]);
    expect(headers).not.toHaveProperty('webhook-signature');
  });

  it('of mail is plain text in the language of the target, and the name changes neither head nor direction', async () => {
    const name = 'Ada\r\nBcc: eve@evil.example\r\n\r\nStu\u202edio';
    await world.database.account.update({ where: { id: world.accountId }, data: { name } });
    const target = {
      owner: OPERATORS,
      medium: 'email',
      address: 'ops@gateway.example',
      kinds: [],
      language: 'de',
    } as const;
    await addTarget(world.database, target, BY);
    await spendAllBut(0n);
    await look();
    const [sent] = mail.mails;
    expect(mail.recipients.at(-1)).toEqual(['ops@gateway.example']);
    expect([sent?.headers.has('bcc'), sent?.html, sent?.from?.value[0]?.address]).toEqual([
      false,
      false,
      'notices@gateway.example',
    ]);
    expect(sent?.subject).toBe(`[mediagate] Das Guthaben des Kontos ${world.accountId} beträgt 0 und liegt unter 1.`);
    expect(sent?.text).toContain(`des Kontos Ada  Bcc: eve@evil.example    Stu dio (${world.accountId})`);
    expect(sent?.text).toMatch(/unter 1\.\nSeit \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n\nSie erhalten dies/);
    const [message] = await world.database.noticeMessage.findMany();
    expect(sent?.messageId).toBe(`<${message?.id}@gateway.example>`);
  });

  it('of mail goes to those alone for whose address a provider has vouched', async () => {
    const target = {
      owner: world.accountId,
      medium: 'email',
      address: 'kim@studio.example',
      kinds: [],
      language: 'en',
    } as const;
    await runSql(
      world.database,
      `insert into users (id, email, name, kind, role, account_id, last_signed_in_at)
        values ('user-1', $2, 'Kim', 'account', 'owner', $1, now())`,
      [world.accountId, target.address],
    );
    expect(await addTarget(world.database, target, BY)).toEqual({ kind: 'unchanged' });
    await runSql(world.database, "update users set identity = 'https://id.example 7'", []);
    expect((await addTarget(world.database, target, BY)).kind).toBe('changed');
    await spendAllBut(0n);
    await look();
    expect(mail.mails).toHaveLength(1);
    await runSql(world.database, 'update users set disabled_at = now()', []);
    await age(DAY_MINUTES);
    await look();
    expect(mail.mails).toHaveLength(1);
  });

  it.each([
    [451, 'pending', 'smtp_451'],
    [550, 'rejected', 'smtp_550'],
  ])('of mail that the server answers with %i is %s', async (refusal, state, reason) => {
    mail.state.refusal = refusal;
    await addTarget(
      world.database,
      { owner: OPERATORS, medium: 'email', address: 'ops@gateway.example', kinds: [], language: 'en' },
      BY,
    );
    await spendAllBut(0n);
    await look();
    expect(await world.database.noticeMessage.findMany()).toMatchObject([{ state, reason }]);
  });

  it('of test has no notice, and comes by the same way, once in a while', async () => {
    const id = await listen('/operators');
    const request = { id, owner: OPERATORS };
    expect((await testTarget(world.database, request, BY)).kind).toBe('changed');
    expect((await testTarget(world.database, request, BY)).kind).toBe('unchanged');
    await jobs.sendNotices.run();
    expect(receiver.posted.map(({ body }) => body)).toMatchObject([
      { type: 'test', text: 'This is a test: notices arrive here.', notices: [] },
    ]);
  });

  it('of test is tried once, and counts of operators alone', async () => {
    receiver.state.status = 503;
    for (const owner of [OPERATORS, world.accountId])
      await testTarget(world.database, { id: await listen(`/${owner}`, { owner }), owner }, BY);
    await jobs.sendNotices.run();
    const ended = { state: 'exhausted', reason: 'http_503' };
    expect(await world.database.noticeMessage.findMany()).toMatchObject([ended, ended]);
    expect(await jobs.metrics.metrics()).toContain(
      'mediagate_notice_attempts_total{medium="webhook",outcome="exhausted"} 1',
    );
  });

  it('of test is one of two that are asked for at once, and the last target that an owner may have is one, too', async () => {
    const id = await listen('/operators');
    const both = await Promise.all([1, 2].map(() => testTarget(world.database, { id, owner: OPERATORS }, BY)));
    expect(both.map(({ kind }) => kind).sort()).toEqual(['changed', 'unchanged']);
    for (let target = 2; target < MAX_NOTICE_TARGETS; target += 1) await listen(`/${target}`);
    const last = await Promise.allSettled([listen('/last'), listen('/beyond')]);
    expect(last.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('of test is the only one to its address until it has ended', async () => {
    const target = { id: await listen('/operators'), owner: OPERATORS };
    const again = async () => (await testTarget(world.database, target, BY)).kind;
    expect(await again()).toBe('changed');
    await age(1);
    expect(await again()).toBe('unchanged');
    await jobs.sendNotices.run();
    expect(await again()).toBe('changed');
  });

  it('of test is one of a hundred in a day that an owner may ask for, of removed targets, too', async () => {
    const owner = world.accountId;
    const [removed, id] = [await listen('/removed', { owner }), await listen('/kept', { owner })];
    await world.database.removeNoticeTarget(removed, owner, BY);
    await runSql(
      world.database,
      `insert into notice_messages (id, target_id, is_test, notices, state, next_attempt_at, created_at)
        select 'message-' || n, case when n % 2 = 0 then $1 else $2 end, true, '[]', 'delivered', null, now() - interval '1 hour'
        from generate_series(1, $3::int) n`,
      [removed, id, MAX_TESTS_PER_DAY],
    );
    expect(await isTestedOften(world.database, owner)).toBe(true);
    expect((await testTarget(world.database, { id, owner }, BY)).kind).toBe('unchanged');
    const others = { id: await listen('/operators'), owner: OPERATORS };
    expect((await testTarget(world.database, others, BY)).kind).toBe('changed');
    await age(DAY_MINUTES);
    expect(await isTestedOften(world.database, owner)).toBe(false);
    expect((await testTarget(world.database, { id, owner }, BY)).kind).toBe('changed');
  });

  it('to a target that was removed while it was written is not sent', async () => {
    const id = await listen('/removed');
    await spendAllBut(0n);
    await jobs.tellNotices.run();
    await runSql(world.database, 'update notice_targets set removed_at = now()', []);
    await jobs.sendNotices.run();
    await jobs.tellNotices.run();
    expect(receiver.posted).toEqual([]);
    const [message] = await world.database.noticeMessage.findMany({ where: { targetId: id } });
    expect(message).toMatchObject({ state: 'dropped', reason: 'target_removed' });
  });

  it('waits for no receivers of another account that are slow, nor do operators: these have two places at once', async () => {
    let answer = () => {};
    const ended = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.state.slow = { path: '/slow', ended };
    for (let count = 0; count < 3; count += 1) await listen('/slow', { owner: world.accountId });
    await spendAllBut(0n);
    await jobs.tellNotices.run();
    const sending = jobs.sendNotices.run();
    await receiver.arrived('/slow', 2);
    await testTarget(world.database, { id: await listen('/operators'), owner: OPERATORS }, BY);
    await receiver.arrived('/operators', 1);
    const { id: owner } = await createAccount(world.database, { name: 'another', webhookSecret: 'whsec_dGVzdA==' });
    await testTarget(world.database, { id: await listen('/another', { owner }), owner }, BY);
    await receiver.arrived('/another', 1);
    expect(receiver.at('/slow')).toHaveLength(2);
    answer();
    await sending;
    expect(receiver.at('/slow')).toHaveLength(3);
  });

  it('whose receiver is slow leaves a batch after its time, goes on, and counts with the batch in which it ends', async () => {
    let answer = () => {};
    const ended = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.state.slow = { path: '/slow', ended };
    const { sendNotices } = world.reconciler({ notices: { ...notices, batchMs: 1 } });
    await testTarget(world.database, { id: await listen('/slow'), owner: OPERATORS }, BY);
    expect(await sendNotices.run()).toEqual({ done: 0, more: true });
    await receiver.arrived('/slow', 1);
    expect(await sendNotices.run()).toEqual({ done: 0, more: true });
    answer();
    await sendNotices.close();
    expect(await sendNotices.run()).toEqual({ done: 1, more: false });
    expect(receiver.at('/slow')).toHaveLength(1);
  });

  it('to operators is claimed before older ones to accounts, of which a host gets four at once', async () => {
    await runSql(
      world.database,
      `insert into notice_targets (id, owner, medium, address, language)
        select 'target-' || n, 'account-' || n, 'webhook', 'https://host-' || n / 10 || '.example/' || n, 'en' from generate_series(0, 99) n`,
      [],
    );
    await runSql(
      world.database,
      `insert into notice_messages (id, target_id, notices, next_attempt_at)
        select 'message-' || n, 'target-' || n, '[]', now() - interval '1 hour' from generate_series(0, 99) n`,
      [],
    );
    await testTarget(world.database, { id: await listen('/operators'), owner: OPERATORS }, BY);
    const [first] = await world.database.claimNoticeMessages({ ...CLAIM, limit: 1 });
    expect(first?.owner).toBe(OPERATORS);
    const hosts = async () =>
      (await world.database.claimNoticeMessages(CLAIM)).map(({ address }) => new URL(address).hostname);
    const claimed = [await hosts(), await hosts(), await hosts(), await hosts()];
    expect(claimed.map(({ length }) => length)).toEqual([15, 15, 10, 0]);
    const tenOfFour = Array.from({ length: 40 }, (_, index) => `host-${Math.floor(index / 4)}.example`);
    expect(claimed.flat().sort()).toEqual(tenOfFour);
  });
});

/** Callbacks of failed tasks, sent once each by the way of all callbacks, to a receiver that answers so. */
async function callBack(count: number, status: number): Promise<void> {
  receiver.state.status = status;
  const rules = notices.accountRules();
  for (let index = 0; index < count; index += 1) {
    const deliveryId = await world.fail(await world.submit({ webhook: receiver.origin }));
    const { outcome } = await postCallback({ url: `${receiver.origin}/callback`, headers: {}, body: '{}' }, rules);
    const verdict = decide(1, outcome, []);
    const httpStatus = outcome.kind === 'answered' ? outcome.status : null;
    const reason = 'reason' in verdict ? verdict.reason : null;
    await attemptDelivery(world.database, deliveryId ?? '', {
      httpStatus,
      error: reason,
      state: verdict.state,
      reason,
    });
  }
  receiver.state.status = 204;
}

async function refusing() {
  return { code: 'operator' } as const;
}
