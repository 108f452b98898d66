import { type Database, DatabaseUnavailableError } from '@mediagate/database';
import type { Api } from '../api';
import type { Call, OperatorCall } from '../http/exchange';
import type { Operators } from '../operators';
import { createMarginSlots } from '../use-cases/margin-report';
import { createUsageSlots } from '../use-cases/usage-report';
import { adminGetInvoice } from './operators/invoice';
import { getInvoice } from './public/balance/get-invoice';

const ZONE = 'Asia/Shanghai';
const MOVED = { openingNano: 0n, paymentsNano: 0n, adjustmentsNano: 0n, refundsNano: 0n, isFinal: true, charges: [] };
const ACCOUNT = { id: 'acct_1', createdAt: new Date(), maxConcurrent: null };

function statementThat(read: () => Promise<unknown>) {
  const account = { findUnique: async () => ACCOUNT };
  return { readKeptSince: async () => [], readInvoice: read, account } as unknown as Database;
}

const asked = (timezone: string) => ({
  request: { query: { timezone }, params: { account_id: ACCOUNT.id }, accepts: () => 'application/json' },
  response: { setHeader: () => undefined, end: () => undefined },
  caller: { accountId: ACCOUNT.id },
});

/** One process, whose database answers so. */
const ROUTES = {
  '/v1/invoice'(database: Database) {
    const api = { database, usageSlots: createUsageSlots() } as Api;
    return async (zone: string) => getInvoice(asked(zone) as unknown as Call, api, {} as never);
  },
  '/admin/v1/accounts/{account_id}/invoice'(database: Database) {
    const operators = { database, marginSlots: createMarginSlots() } as Operators;
    return async (zone: string) => adminGetInvoice(asked(zone) as unknown as OperatorCall, operators);
  },
};

describe.each(Object.entries(ROUTES))('GET %s', (_, open) => {
  it.each([
    [ZONE, 1],
    ['UTC', 10],
  ])('of ten invoices by %s at once runs %d statements at a time', async (zone, expected) => {
    let [running, most] = [0, 0];
    const ask = open(
      statementThat(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return [MOVED];
      }),
    );
    await Promise.all(Array.from({ length: 10 }, () => ask(zone)));
    expect(most).toBe(expected);
  });

  it('400: names the zone when its days have too many tasks, and lets the next invoice be made', async () => {
    const timeIsUp = new DatabaseUnavailableError(Object.assign(new Error('statement timeout'), { code: '57014' }));
    const ask = open(statementThat(() => Promise.reject(timeIsUp)));
    for (let time = 0; time < 2; time += 1) {
      await expect(ask(ZONE)).rejects.toMatchObject({ code: 'invalid_request', param: 'timezone' });
    }
    await expect(ask('UTC')).rejects.toBe(timeIsUp);
  });
});
