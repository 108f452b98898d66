import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Pace } from '@mediagate/concurrency';
import type { Response } from 'express';
import { RequestScope } from '../request-scope';
import { admitPaced, type Refusals, Turn } from './refusal-turn';

const LIMITS = { perSecond: 100, burst: 3, waitMaxMs: 30 };

function open() {
  const time = { now: 0 };
  const pace = new Pace(LIMITS, () => time.now);
  const refusals = { pace, waitMaxMs: LIMITS.waitMaxMs };
  const waits = (account: string) => pace.waitMs(account);
  const refuse = (account: string, times: number) => pace.count(account, times);
  return { time, refusals, waits, refuse };
}

describe('the refusals of an account', () => {
  it('lets a burst through, and then so many a second', () => {
    const { time, waits, refuse } = open();
    refuse('a', 2);
    expect(waits('a')).toBe(0);
    refuse('a', 1);
    expect(waits('a')).toBe(10);
    time.now = 10;
    expect(waits('a')).toBe(0);
  });

  it('delays no other account', () => {
    const { waits, refuse } = open();
    refuse('a', 4);
    expect(waits('b')).toBe(0);
  });
});

function turnOf(refusals: Refusals): Turn {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return new Turn(refusals, { response: response as Response, scope: new RequestScope('1'), outcome: {} });
}

describe('a turn', () => {
  it('that waited counts once, whether it comes to a refusal or not', async () => {
    const { refusals, waits, refuse } = open();
    refuse('a', 3);
    const [refused, served] = [turnOf(refusals), turnOf(refusals)];
    await refused.enter('a');
    refused.end(true);
    expect(waits('a')).toBe(20);
    await served.enter('a');
    served.end(false);
    expect(waits('a')).toBe(20);
  });

  it('is not given, and not counted, when too many wait', async () => {
    const { refusals, waits, refuse } = open();
    refuse('a', 6);
    const turn = turnOf(refusals);
    expect(await turn.enter('a')).toMatchObject({ code: 'rate_limited' });
    turn.end(true);
    expect(waits('a')).toBe(40);
  });

  it('that comes at once costs nothing when it succeeds', async () => {
    const { refusals, waits } = open();
    for (let index = 0; index < 100; index += 1) {
      const turn = turnOf(refusals);
      await turn.enter('a');
      turn.end(false);
    }
    expect(waits('a')).toBe(0);
  });
});

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
