import { daysLeft, lifeStage } from './served-model';

describe('the days that a vendor still serves a model', () => {
  it.each([
    ['2026-11-07T23:59:59Z', 60, 'ending'],
    ['2026-11-06T00:00:00Z', 61, 'served'],
    ['2027-01-05T23:59:59Z', 1, 'ending'],
    ['2027-01-06T00:00:00Z', 0, 'ended'],
    ['2027-01-16T12:00:00Z', -10, 'ended'],
  ])('on %s are %d, and it is %s', (now, days, stage) => {
    const left = daysLeft({ servedUntil: '2027-01-06' }, Date.parse(now));
    expect([left, lifeStage(left)]).toEqual([days, stage]);
  });
});
