import { createVirtualClock } from '../clock';
import { createJournal, MAX_JOURNAL_ENTRIES, MAX_REPEATED_ENTRIES, type Operation } from './journal';

const callsOf = (times: number, operation: Operation) => {
  const journal = createJournal(createVirtualClock());
  const call = (what: Operation) => journal.open({ wire: 'kling', operation: what, method: 'GET', path: '/' }).seq;
  const first = call('start');
  for (let time = 0; time < times; time += 1) call(operation);
  return { first, last: call('start'), seqs: journal.entries(false).map(({ seq }) => seq) };
};

describe('a full journal', () => {
  it('keeps the newest calls', () => {
    const { last, seqs } = callsOf(MAX_JOURNAL_ENTRIES + 10, 'unknown');
    expect([seqs.length, seqs.at(-1)]).toEqual([MAX_JOURNAL_ENTRIES, last]);
  });

  it.each(['check', 'download'] as const)('keeps the starts among thousands of calls to %s', (operation) => {
    const { first, last, seqs } = callsOf(MAX_REPEATED_ENTRIES + 10, operation);
    expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([MAX_REPEATED_ENTRIES + 2, first, last]);
  });
});
