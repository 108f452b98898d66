import { makeJsonSafe } from './json-safety';

it('takes __proto__ out at every depth but the top, and touches no prototype', () => {
  const body = JSON.parse('{"__proto__":{"a":1},"list":[{"__proto__":{"b":1},"c":{"__proto__":2,"d":3}}]}');
  makeJsonSafe(body);
  expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1},"list":[{"c":{"d":3}}]}');
  expect(Object.getPrototypeOf(body.list[0])).toBe(Object.prototype);
});

it('still refuses what cannot be stored beneath __proto__', () => {
  const body = JSON.parse('{"x":{"__proto__":{"a":"\\u0000"}}}');
  expect(() => makeJsonSafe(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
