import { parseAnswer } from './parse-answer';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

it('parses an answer of up to 256 levels, whatever stands beside them', () => {
  const answer = `{"text":"${'['.repeat(10_000)}","x":${nested(255)}}`;
  expect(parseAnswer(answer)).toEqual(JSON.parse(answer));
});

it.each([257, 100_000, 1_000_000])('takes an answer of %d levels for none', (levels) => {
  expect(parseAnswer(nested(levels))).toBeUndefined();
  expect(parseAnswer(`{"a":1,"x":${nested(levels - 1)}}`)).toBeUndefined();
});

it('takes what is no JSON for none', () => {
  expect(parseAnswer('{"a":')).toBeUndefined();
});
