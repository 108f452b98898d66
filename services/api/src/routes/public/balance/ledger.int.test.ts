import { taskError } from '@mediagate/billing';
import { decimalToNano, nanoToNumber, newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests, runSql } from '@mediagate/testkit';
import { type Caller, SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';
import { makeCursor } from '../../../http/fields/page';

const api = forAllTests(startTestApi);

async function submit({ key }: Caller, metadata: Record<string, string> = {}): Promise<TaskId> {
  const { body } = await api.post('/v1/images/generations', { ...SMALL_IMAGE, metadata }, { key });
  return body.data[0].task_id;
}

const complete = (taskId: TaskId, costNano: bigint) =>
  api.end(taskId, { kind: 'completed', costNano, units: { image_output: 196_000n }, result: {} });
const fail = (taskId: TaskId) => api.end(taskId, { kind: 'failed', error: taskError('timeout') });

const get = ({ key }: Caller, path: string, headers: Record<string, string> = {}) => api.get(path, { key, headers });

const HELD = smallImagePrice();
const COST = HELD - 7n;

/** One task that was settled, one that was refunded, one that is held. */
async function callerWithHistory() {
  const caller = await api.createCaller({ balance: '100' });
  const settled = await submit(caller, { project: 'a, "b"', team: 'x' });
  const refunded = await submit(caller, { project: 'c' });
  await complete(settled, COST);
  await fail(refunded);
  const held = await submit(caller);
  return { caller, settled, refunded, held };
}

describe('GET /v1/ledger', () => {
  it('200: has every entry with the balance that it left, the newest first', async () => {
    const { caller, settled, refunded, held } = await callerWithHistory();
    const { status, body } = await get(caller, '/v1/ledger');
    expect(status).toBe(200);
    const [start, price] = [100_000_000_000n, HELD];
    const entry = (kind: string, taskId: string | null, amount: bigint, change: bigint, balance: bigint) => ({
      id: expect.any(String),
      created: expect.any(Number),
      kind,
      amount: nanoToNumber(amount),
      change: nanoToNumber(change),
      balance_after: nanoToNumber(balance),
      task_id: taskId,
      key_id: taskId === null ? null : caller.keyId,
    });
    expect(body).toEqual({
      code: 200,
      complete_since: null,
      data: [
        entry('hold', held, price, -price, start - COST - price),
        entry('refund', refunded, price, price, start - COST),
        entry('settle', settled, COST, 7n, start - COST - price),
        entry('hold', refunded, price, -price, start - 2n * price),
        entry('hold', settled, price, -price, start - price),
        entry('top_up', null, start, start, start),
      ],
      next_cursor: null,
      has_more: false,
    });
    const balance = await get(caller, '/v1/user/balance');
    expect(balance.body.remain_balance).toBe(body.data[0].balance_after);
  });

  it('200: goes on page by page, and each entry is on one', async () => {
    const { caller } = await callerWithHistory();
    const whole = (await get(caller, '/v1/ledger?limit=100')).body.data;
    const pages: unknown[][] = [];
    let next: string | null = '';
    while (next !== null) {
      const { body } = await get(caller, `/v1/ledger?limit=4&cursor=${next}`);
      pages.push(body.data);
      expect(body.has_more).toBe(body.next_cursor !== null);
      next = body.next_cursor;
    }
    expect(pages.map((page) => page.length)).toEqual([4, 2]);
    expect(pages.flat()).toEqual(whole);
  });

  it('200: of one task has its entries alone', async () => {
    const { caller, settled } = await callerWithHistory();
    const { body } = await get(caller, `/v1/ledger?task_id=${settled}`);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['settle', 'hold']);
    expect((await get(caller, `/v1/ledger?task_id=${newTaskId()}`)).body.data).toEqual([]);
  });

  it.each([
    ['limit=1&limit=2', ['limit']],
    ['cursor=abc', ['cursor']],
    [`cursor=${makeCursor('tasks', '1')}`, ['cursor']],
    [`cursor=${makeCursor('ledger', '1 or 1=1')}`, ['cursor']],
    ['task_id=1', ['task_id']],
    ['page=2', ['page']],
    ['limit=0&cursor=x&page=2', ['limit', 'cursor', 'page']],
  ])('400: names what is wrong in ?%s', async (query, params) => {
    const { status, body } = await get(await api.createCaller(), `/v1/ledger?${query}`);
    expect([status, body.error.param]).toEqual([400, params[0]]);
    expect(body.error.errors?.map(({ param }: { param: string }) => param) ?? params).toEqual(params);
  });
});

describe('GET /v1/invoice', () => {
  const thisMonth = () => new Date().toISOString().slice(0, 7);

  it('200: is what the ledger has of the month, held money still the account’s, and the next one begins where it ends', async () => {
    const { caller } = await callerWithHistory();
    const { status, body } = await get(caller, `/v1/invoice?month=${thisMonth()}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      account_id: caller.accountId,
      month: thisMonth(),
      timezone: 'UTC',
      final: false,
      opening_balance: 0,
      payments: 100,
      adjustments: 0,
      refunds: 0,
      charges: nanoToNumber(COST),
      closing_balance: nanoToNumber(100_000_000_000n - COST),
      lines: [
        { model: 'imagegen-2.5-flare', tasks: 1, charged: nanoToNumber(COST), units: { image_output: 0.000_196 } },
      ],
    });
    const next = await get(caller, '/v1/invoice?month=2099-12');
    const { closing_balance: closing } = body.data;
    expect(next.body.data).toMatchObject({ opening_balance: closing, closing_balance: closing, lines: [] });
    expect((await get(caller, '/v1/invoice')).body.data).toMatchObject({
      final: expect.any(Boolean),
      closing_balance: 0,
    });
  });

  it('200: is a table whose amounts add up to the last one', async () => {
    const { caller } = await callerWithHistory();
    const { body } = await get(caller, `/v1/invoice?month=${thisMonth()}`, { accept: 'text/csv' });
    const [names, ...lines] = body
      .trimEnd()
      .split('\r\n')
      .map((line: string) => line.split(','));
    expect(names).toEqual(['line', 'model', 'unit', 'quantity', 'tasks', 'amount']);
    expect(lines.map(([line]: string[]) => line)).toEqual(
      'opening_balance payments adjustments refunds charge unit closing_balance'.split(' '),
    );
    const amounts = lines.map((line: string[]) => decimalToNano(line[5] || '0'));
    const closing = amounts.pop();
    expect(amounts.reduce((sum: bigint, amount: bigint) => sum + amount, 0n)).toBe(closing);
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Etc/UTC'])(
    '200: has the months of %s, where that is asked for',
    async (timezone) => {
      const { caller } = await callerWithHistory();
      const month = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format().slice(0, 7);
      const { data } = (await get(caller, `/v1/invoice?month=${month}&timezone=${timezone}`)).body;
      const charges = nanoToNumber(COST);
      expect(data).toMatchObject({ month, timezone: timezone.replace('Etc/', ''), payments: 100, charges });
      expect((await get(caller, `/v1/invoice?timezone=${timezone}`)).body.data).toMatchObject({ charges: 0 });
    },
  );

  it.each(['timezone=%2B08:00', 'month=2026-13', 'month=november', 'months=2026-10'])('400: %s', async (query) => {
    const { status, body } = await get(await api.createCaller(), `/v1/invoice?${query}`);
    expect([status, body.error.param]).toEqual([400, query.split('=')[0]]);
  });
});

describe('GET /v1/usage', () => {
  const sums = { tasks: 3, completed: 1, failed: 1, charged: nanoToNumber(COST) };

  it('200: is by day by default, and its total is what the ledger charged', async () => {
    const { caller } = await callerWithHistory();
    const { status, body } = await get(caller, '/v1/usage');
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 200,
      data: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...sums }],
      total: sums,
    });
  });

  it('200: is grouped by several things at once, metadata among them', async () => {
    const { caller } = await callerWithHistory();
    const { body } = await get(caller, '/v1/usage?group_by=family,model,key,metadata.project,metadata.team');
    const group = { family: 'image', model: 'imagegen-2.5-flare', key: caller.keyId, tasks: 1 };
    const of = (project: string | null, team: string | null) => ({
      ...group,
      'metadata.project': project,
      'metadata.team': team,
    });
    expect(body.data).toEqual([
      { ...of('a, "b"', 'x'), completed: 1, failed: 0, charged: nanoToNumber(COST) },
      { ...of('c', null), completed: 0, failed: 1, charged: 0 },
      { ...of(null, null), completed: 0, failed: 0, charged: 0 },
    ]);
    expect(body.total).toEqual(sums);
  });

  it('200: is a table where CSV is asked for', async () => {
    const { caller } = await callerWithHistory();
    const answer = await get(caller, '/v1/usage?group_by=metadata.project', { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const charged = String(nanoToNumber(COST));
    expect(answer.body).toBe(
      `metadata.project,tasks,completed,failed,charged\r\n"a, ""b""",1,1,0,${charged}\r\nc,1,0,1,0\r\n,1,0,0,0\r\n`,
    );
  });

  it('200: is a file of its days, with a byte order mark for Excel alone', async () => {
    const { caller } = await callerWithHistory();
    const table = async (query: string) => {
      const { headers } = await get(caller, `/v1/usage?from=2026-11-01&to=2026-11-30&${query}`, { accept: 'text/csv' });
      return [headers.get('content-disposition'), Number(headers.get('content-length'))] as const;
    };
    const zoned = await get(caller, '/v1/usage?timezone=asia/shanghai', { accept: 'text/csv' });
    expect(zoned.body).toMatch(/^day,tasks,completed,failed,charged,timezone\r\n(?:[^\r]*,Asia\/Shanghai\r\n)+$/);
    const [[name, bytes], [, ofExcel]] = [await table('timezone=Asia/Shanghai'), await table('excel=true')];
    expect(name).toBe('attachment; filename="usage-2026-11-01-2026-11-30-Asia-Shanghai.csv"');
    expect((await table('excel=false'))[0]).toBe('attachment; filename="usage-2026-11-01-2026-11-30.csv"');
    const MARK = Buffer.byteLength('\uFEFF');
    expect(ofExcel).toBe((await table('excel=false'))[1] + MARK);
    expect(bytes).toBeGreaterThan(0);
  });

  it.each(['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC'])(
    '200: has the days of %s, and the same sums',
    async (timezone) => {
      const { caller } = await callerWithHistory();
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format();
      const query = new URLSearchParams({ from: day, to: day, timezone });
      const { body } = await get(caller, `/v1/usage?${query}`);
      expect(body).toEqual({ code: 200, data: [{ day, ...sums }], total: sums });
      const grouped = await get(caller, `/v1/usage?${query}&group_by=model`);
      expect(grouped.body.total).toEqual(sums);
    },
  );

  it('200: has what was submitted from `from` on and before `to`', async () => {
    const { caller } = await callerWithHistory();
    const today = new Date().toISOString().slice(0, 10);
    const tasks = async (query: string) => (await get(caller, `/v1/usage?${query}`)).body.total.tasks;
    expect(await tasks(`from=${today}&to=${today}`)).toBe(3);
    const now = Math.floor(Date.now() / 1000);
    expect(await tasks(`from=${now - 3600}&to=${now + 60}`)).toBe(3);
    expect(await tasks(`from=${now - 7200}&to=${now - 3600}`)).toBe(0);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(await tasks(`from=${tomorrow}`)).toBe(0);
  });

  it.each<[query: string, param: string, message?: string]>([
    ['from=yesterday', 'from', 'from must be a day or a time in Unix seconds, such as 2026-11-22, 1795305600'],
    ['to=2026-02-30', 'to'],
    ['from=2026-02-02&to=2026-01-01', 'from', 'from must be before to'],
    ['from=2026-01-01&to=2027-05-01', 'from'],
    [
      'group_by=colour',
      'group_by',
      'group_by must be 1 to 6 different ones of day, model, key, family, metadata.<name>, with commas between, such as day,model',
    ],
    ['group_by=day,day', 'group_by'],
    [
      'timezone=%2B08:00',
      'timezone',
      'timezone must be UTC or a time zone with a place in its name, such as Asia/Shanghai; short names (EST, GMT) and offsets are not taken',
    ],
    ['excel=yes', 'excel'],
    ['group_by=metadata.', 'group_by'],
    ['group_by=metadata.a%00', 'group_by'],
    ['since=1', 'since'],
  ])('400: names what is wrong in ?%s', async (...[query, param, message]) => {
    const { status, body } = await get(await api.createCaller(), `/v1/usage?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
    if (message !== undefined) expect(body.error.message).toBe(message);
  });

  it('400: of a zone that is known here and not to PostgreSQL, it says that it is none, also without tasks', async () => {
    const caller = await api.createCaller();
    const { status, body } = await get(caller, '/v1/usage?timezone=US/Pacific-New');
    expect([status, body.error?.param]).toEqual([400, 'timezone']);
  });
});

describe('bookings that are removed', () => {
  const PRUNED = `insert into closed_months (month, after_entry_id, up_to_entry_id, sealed_to, digest, closed_at, pruned_to)
    values ('2020-01-01', -9, -8, -8, 'x', now(), -8)`;

  it('are named by the ledger, and by reports and invoices that need them', async () => {
    const caller = await api.createCaller({ balance: '1' });
    const usage = (query: string) => get(caller, `/v1/usage?from=2020-01-01&to=2020-01-31&${query}`);
    const invoice = (query: string) => get(caller, `/v1/invoice?month=2020-01&${query}`);
    expect((await get(caller, '/v1/ledger')).body).toMatchObject({ complete_since: null });
    expect((await usage('timezone=Asia/Shanghai')).status).toBe(200);
    await runSql(api.database, PRUNED);
    const since = Date.UTC(2020, 1, 2) / 1000;
    expect((await get(caller, '/v1/ledger')).body).toMatchObject({ complete_since: since, data: [{ kind: 'top_up' }] });
    const refused = (param: string) => ({
      status: 400,
      body: { error: { param, message: expect.stringContaining('2020-02-02') } },
    });
    expect(await usage('timezone=Asia/Shanghai')).toMatchObject(refused('from'));
    expect(await invoice('timezone=Asia/Shanghai')).toMatchObject(refused('timezone'));
    expect((await usage('timezone=UTC')).status).toBe(200);
    expect((await invoice('')).status).toBe(200);
  });
});
