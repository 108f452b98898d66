import { createSessions } from './sessions';

describe('createSessions', () => {
  it('ends a session that idles', () => {
    let now = 0;
    const sessions = createSessions({ idleMs: 100, maxAgeMs: 10_000, now: () => now });
    const token = sessions.open('operator');
    now = 99;
    expect(sessions.find(token)).toEqual({ user: 'operator' });
    now = 198;
    expect(sessions.find(token)).toEqual({ user: 'operator' });
    now = 298;
    expect(sessions.find(token)).toBeUndefined();
    now = 100;
    expect(sessions.find(token)).toBeUndefined();
  });

  it('ends a session that is too old, however busy it is', () => {
    let now = 0;
    const sessions = createSessions({ idleMs: 100, maxAgeMs: 250, now: () => now });
    const token = sessions.open('operator');
    for (now = 0; now < 250; now += 50) expect(sessions.find(token)).toBeDefined();
    expect(sessions.find(token)).toBeUndefined();
  });

  it('closes one and leaves the others', () => {
    const sessions = createSessions();
    const [one, two] = [sessions.open('operator'), sessions.open('operator')];
    sessions.close(one);
    expect([sessions.find(one), sessions.find(two)]).toEqual([undefined, { user: 'operator' }]);
  });

  it('keeps so many at most and lets the oldest go', () => {
    const sessions = createSessions({ maxSessions: 2 });
    const [one, two, three] = [sessions.open('a'), sessions.open('b'), sessions.open('c')];
    expect([one, two, three].map((token) => sessions.find(token)?.user)).toEqual([undefined, 'b', 'c']);
  });

  it('knows no token that it did not give', () => {
    const sessions = createSessions();
    sessions.open('operator');
    for (const token of ['', 'operator', 'x'.repeat(43)]) expect(sessions.find(token)).toBeUndefined();
  });
});
