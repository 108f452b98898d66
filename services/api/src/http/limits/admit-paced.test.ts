import { Pace } from '@mediagate/concurrency';
import { admitPaced } from './admit-paced';

it('who is refused learns when the next request is accepted, and such a request does not count', () => {
  let nowMs = 0;
  const pace = new Pace({ perSecond: 2, burst: 3 }, () => nowMs);
  for (let request = 0; request < 3; request += 1) admitPaced(pace, '192.0.2.1');
  for (let request = 0; request < 3; request += 1) {
    expect(() => admitPaced(pace, '192.0.2.1')).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }),
    );
  }
  admitPaced(pace, '192.0.2.2');
  nowMs = 500;
  admitPaced(pace, '192.0.2.1');
});
