import { asCsvText, asExcelText } from '@mediagate/billing';
import { type Database, DatabaseUnavailableError } from '@mediagate/database';
import { createUsageSlots, reportUsage, usageAsCsv } from './usage-report';

it('says which days to ask for less of when a report would take too long, and lets the account ask again', async () => {
  const timeIsUp = new DatabaseUnavailableError(Object.assign(new Error('statement timeout'), { code: '57014' }));
  const database = { readKeptSince: async () => [], sumUsage: () => Promise.reject(timeIsUp) } as unknown as Database;
  const api = { database, usageSlots: createUsageSlots() };
  const request = { accountId: 'a', ownKeyId: null, from: new Date(0), to: new Date(1), groupBy: ['day'] };
  for (let time = 0; time < 2; time += 1) {
    await expect(reportUsage(api, request)).rejects.toMatchObject({ code: 'invalid_request', param: 'from' });
  }
});

it('writes no cell that a spreadsheet would run', () => {
  const values = ['=1+1', '+1', '-1', '@now', 'plain'];
  const rows = values.map((value) => ({ values: [value], tasks: 1, completed: 1, failed: 0, chargedNano: 5n }));
  const report = { groupBy: ['metadata.note'], rows, total: { tasks: 5, completed: 5, failed: 0, chargedNano: 25n } };
  const cells = usageAsCsv(report, asCsvText).split('\r\n').slice(1, -1);
  expect(cells.map((line) => line.split(',')[0])).toEqual(["'=1+1", "'+1", "'-1", "'@now", 'plain']);
});

it('writes ids of digits as texts for Excel, which would round them, and nothing else', () => {
  const values = ['123456789012', '12e345678901', '1.50', '2026-11-01', 'acct_1', '=1+1', ''];
  const cells = ['="123456789012"', '="12e345678901"', '="1.50"', '2026-11-01', 'acct_1', "'=1+1", ''];
  expect(values.map(asExcelText)).toEqual(cells);
});
