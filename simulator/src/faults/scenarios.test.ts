import { directiveIn, withoutDirectives } from './directive';
import { durationMs, parseScenarios, share } from './scenarios';

describe('parseScenarios', () => {
  it('reads names, arguments and counts', () => {
    expect(parseScenarios('rate-limit*2, 5xx=503*1,latency=1.5s')).toEqual({
      scenarios: [
        { name: 'rate-limit', value: '', times: 2 },
        { name: '5xx', value: '503', times: 1 },
        { name: 'latency', value: '1.5s', times: undefined },
      ],
      mistakes: [],
    });
  });

  it.each([
    '',
    'latency',
    'latency=5',
    'stuck=1s',
    '5xx=404',
    'partial=2',
    'partial=1/0',
    'toString',
    'busy*x',
    'busy*',
  ])('says what is wrong with "%s"', (text) => {
    expect(parseScenarios(text)).toEqual({ scenarios: [], mistakes: [expect.any(String)] });
  });
});

it('durations are milliseconds, seconds or minutes', () => {
  expect([durationMs('250ms', 0), durationMs('1.5s', 0), durationMs('2m', 0), durationMs('', 7)]).toEqual([
    250, 1_500, 120_000, 7,
  ]);
});

it('a share is how many of how many', () => {
  expect(share('2/4')).toEqual({ succeed: 2, of: 4 });
});

describe('directives', () => {
  it('are found anywhere in a prompt, joined, and leave no gap behind', () => {
    const prompt = '[[sim:busy*1]] a  fox [[SIM:latency=1s]] runs';
    expect(directiveIn(prompt)).toBe('busy*1,latency=1s');
    expect(withoutDirectives(prompt)).toBe('a fox runs');
  });

  it('are nothing that merely looks like one', () => {
    expect(directiveIn('[sim:busy] [[sim:]] [[sims:busy]]')).toBeUndefined();
  });
});
