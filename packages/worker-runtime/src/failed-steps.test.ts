import { isHopeless, mustRunAlone } from './failed-steps';

type Task = Parameters<typeof isHopeless>[0];

const HOUR_MS = 3_600_000;
const attempt = (state: 'starting' | 'accepted') => ({
  id: 'att_1',
  state,
  channelId: 'a',
  destination: null,
  operation: null,
});
/** A task of one hour. */
const task = (lostSteps: number, more: Partial<Task> = {}): Task => ({
  lostSteps,
  attempt: undefined,
  createdAt: new Date(0),
  deadlineAt: new Date(HOUR_MS),
  msToDeadline: HOUR_MS / 2,
  ...more,
});
const LATE = { msToDeadline: HOUR_MS / 5 };

describe('a task whose steps ended with their worker', () => {
  it.each([
    ['runs beside others after one', task(1), 'beside'],
    ['runs alone after two', task(2), 'alone'],
    ['is given up after five', task(5), 'given up'],
    ['is given up when it did not get its turn in three quarters of its time', task(2, LATE), 'given up'],
    ['is only late after one', task(1, LATE), 'beside'],
    ['runs alone as it begins after a day', task(2, { createdAt: new Date(-24 * HOUR_MS) }), 'alone'],
    ['runs alone with an attempt in doubt, however many', task(9, { attempt: attempt('starting') }), 'alone'],
    ['is asked about beside others after four, once accepted', task(4, { attempt: attempt('accepted') }), 'beside'],
    ['is asked about alone after five, once accepted', task(5, { attempt: attempt('accepted') }), 'alone'],
    ['is asked about all the same as its deadline comes', task(9, { attempt: attempt('accepted'), ...LATE }), 'beside'],
  ] as const)('%s', (_, suspect, expected) => {
    const is = isHopeless(suspect) ? 'given up' : mustRunAlone(suspect) ? 'alone' : 'beside';
    expect(is).toBe(expected);
  });
});
