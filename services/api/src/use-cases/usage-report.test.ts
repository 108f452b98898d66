import { usageAsCsv } from './usage-report';

it('writes no cell that a spreadsheet would run', () => {
  const values = ['=1+1', '+1', '-1', '@now', 'plain'];
  const rows = values.map((value) => ({ values: [value], tasks: 1, completed: 1, failed: 0, chargedNano: 5n }));
  const report = { groupBy: ['metadata.note'], rows, total: { tasks: 5, completed: 5, failed: 0, chargedNano: 25n } };
  const cells = usageAsCsv(report).split('\r\n').slice(1, -1);
  expect(cells.map((line) => line.split(',')[0])).toEqual(["'=1+1", "'+1", "'-1", "'@now", 'plain']);
});
