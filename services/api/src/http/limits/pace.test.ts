import { Pace } from './pace';

function open() {
  let nowMs = 0;
  const pace = new Pace({ perSecond: 2, burst: 3 }, () => nowMs);
  const admitted = (address: string, requests: number) =>
    Array.from({ length: requests }, () => {
      try {
        pace.admit(address);
        return true;
      } catch {
        return false;
      }
    }).filter(Boolean).length;
  return { pace, admitted, pass: (ms: number) => (nowMs += ms) };
}

it('an owner has its burst at once, then so many a second, and takes nothing from another', () => {
  const { admitted, pass } = open();
  expect(admitted('192.0.2.1', 10)).toBe(3);
  expect(admitted('192.0.2.2', 1)).toBe(1);
  pass(1000);
  expect(admitted('192.0.2.1', 10)).toBe(2);
});

it('who is refused learns when the next request is accepted', () => {
  const { pace, admitted, pass } = open();
  admitted('192.0.2.1', 3);
  expect(() => pace.admit('192.0.2.1')).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }),
  );
  pass(1000);
  expect(admitted('192.0.2.1', 1)).toBe(1);
});
