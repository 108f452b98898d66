import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { RefusalShare, Turn } from './refusal-share';
import { RequestScope } from './request-scope';

const LIMITS = { perSecond: 100, burst: 2, waitMaxMs: 30 };

function open() {
  const time = { now: 0 };
  const share = new RefusalShare(LIMITS, () => time.now);
  const waits = (account: string) => share.waitMs(account);
  const refuse = (account: string, times: number) => {
    for (let index = 0; index < times; index += 1) share.count(account);
  };
  return { time, share, waits, refuse };
}

describe('the share of refusals', () => {
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

  it('has nobody wait for longer than the limit', () => {
    const { waits, refuse } = open();
    refuse('a', 5);
    expect(waits('a')).toBe(30);
    refuse('a', 1);
    expect(waits('a')).toBeUndefined();
  });
});

function turnOf(share: RefusalShare): Turn {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return new Turn(share, { response: response as Response, scope: new RequestScope('1') });
}

describe('a turn', () => {
  it('that waited counts once, whether it comes to a refusal or not', async () => {
    const { share, waits, refuse } = open();
    refuse('a', 3);
    const [refused, served] = [turnOf(share), turnOf(share)];
    await refused.enter('a');
    refused.end(true);
    expect(waits('a')).toBe(20);
    await served.enter('a');
    served.end(false);
    expect(waits('a')).toBe(20);
  });

  it('is not given, and not counted, when too many wait', async () => {
    const { share, waits, refuse } = open();
    refuse('a', 6);
    const turn = turnOf(share);
    expect(await turn.enter('a')).toMatchObject({ code: 'rate_limited' });
    turn.end(true);
    share.takeBack('a');
    expect(waits('a')).toBe(30);
  });

  it('that comes at once costs nothing when it succeeds', async () => {
    const { share, waits } = open();
    for (let index = 0; index < 100; index += 1) {
      const turn = turnOf(share);
      await turn.enter('a');
      turn.end(false);
    }
    expect(waits('a')).toBe(0);
  });
});
