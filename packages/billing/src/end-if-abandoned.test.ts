import { keepEnd, type ProvisionalEnd, readEnd } from './end-if-abandoned';

const REFUND = { kind: 'failed', error: { code: 'internal_error' } } as unknown as ProvisionalEnd['outcome'];
const OPTIONS = { refund: REFUND, keptMsAgo: 0 };

it('an end is read as it was kept', () => {
  const outcome = { kind: 'completed', costNano: 5n, units: { tokens: 7n }, usage: { inputTokens: 7 } } as never;
  expect(readEnd(JSON.parse(keepEnd({ outcome })), OPTIONS)).toEqual({ outcome });
});

it.each([
  ['none', null],
  ['one of another form', { form: 2, settled: { costNano: '1' } }],
  ['one whose amount is none', { form: 1, settled: { costNano: 'much' } }],
  ['one without an amount', { form: 1, settled: {} }],
  ['one whose calls are no list', { form: 1, calls: 'two' }],
])('a task refunds where the kept end is %s', (_what, kept) => {
  expect(readEnd(kept, OPTIONS)).toEqual({ outcome: REFUND });
});
