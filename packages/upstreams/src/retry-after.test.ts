import { retryAfterFromDuration, retryAfterFromHeaders } from './retry-after';

const NOW = Date.parse('2030-01-01T00:00:00Z');

it.each([
  [{ 'retry-after-ms': '1250', 'retry-after': '9' }, 1250],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, 30_000],
  [{ 'retry-after': '86400' }, 3_600_000],
])('%j asks for %d ms, at most an hour', (headers, expected) => {
  expect(retryAfterFromHeaders(headers as Record<string, string>, NOW)).toBe(expected);
});

it.each([{}, { 'retry-after': '' }, { 'retry-after': 'soon' }, { 'retry-after': '-5' }, { 'retry-after-ms': 'NaN' }])(
  '%j asks for nothing',
  (headers) => {
    expect(retryAfterFromHeaders(headers as Record<string, string>, NOW)).toBeUndefined();
  },
);

it('a date in the past asks for nothing', () => {
  expect(retryAfterFromHeaders({ 'retry-after': 'Tue, 01 Jan 2019 00:00:00 GMT' }, NOW)).toBeUndefined();
});

it('reads a protobuf duration and nothing else', () => {
  expect(retryAfterFromDuration('34.4s')).toBe(34_400);
  expect([undefined, 34, '34', '-1s', 's', '1m'].map(retryAfterFromDuration)).toEqual(Array(6).fill(undefined));
});
