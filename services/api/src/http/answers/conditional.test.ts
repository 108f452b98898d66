import { isUnchanged, requestedRange } from './conditional';

const ETAG = '"abc"';
const rangeOf = (range: string, size = 100) => requestedRange({ range }, size, ETAG);

describe('requestedRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=99-', { start: 99, end: 99 }],
    ['bytes=50-1000', { start: 50, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=1e3-', 'whole'],
    ['items=0-1', 'whole'],
    [`bytes=${'9'.repeat(400)}-`, 'whole'],
  ])('of %s is %j', (range, expected) => {
    expect(rangeOf(range)).toEqual(expected);
  });

  it('of an empty file is never a part', () => {
    expect(rangeOf('bytes=0-', 0)).toBe('unsatisfiable');
    expect(rangeOf('bytes=-5', 0)).toBe('unsatisfiable');
  });

  it('of another version is the whole', () => {
    expect(requestedRange({ range: 'bytes=0-1', 'if-range': '"old"' }, 100, ETAG)).toBe('whole');
    expect(requestedRange({ range: 'bytes=0-1', 'if-range': ETAG }, 100, ETAG)).toEqual({ start: 0, end: 1 });
  });
});

describe('isUnchanged', () => {
  it.each([
    [undefined, false],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", W/"abc"', true],
    ['*', true],
    ['"abcd"', false],
    ['abc', false],
  ])('of %s is %s', (header, expected) => {
    expect(isUnchanged(header, ETAG)).toBe(expected);
  });
});
