import { type Framing, frame, streamFraming, wholeFraming } from './framing';

function framed(framing: Framing, pieces: readonly string[]): string {
  const shown = pieces.map((piece, index) => frame(framing, Buffer.from(piece), index === 0));
  return Buffer.concat([...shown, framing.close]).toString();
}

const PIECES = ['{"a": "ü"}', '{"b":2}'];

it('puts a whole answer into the wrapper, or leaves it as it is', () => {
  expect(framed(wholeFraming(true), ['{"a":1}'])).toBe('{"code":200,"data":{"a":1}}');
  expect(framed(wholeFraming(false), ['{"a":1}'])).toBe('{"a":1}');
});

it('puts each event into the wrapper like a single answer', () => {
  expect(framed(streamFraming({ wrapped: true, sse: true }), PIECES)).toBe(
    'data: {"code":200,"data":{"a": "ü"}}\r\n\r\ndata: {"code":200,"data":{"b":2}}\r\n\r\n',
  );
  expect(framed(streamFraming({ wrapped: false, sse: true }), PIECES)).toBe(
    'data: {"a": "ü"}\r\n\r\ndata: {"b":2}\r\n\r\n',
  );
});

it('makes one array of the pieces where no events were asked for', () => {
  const array = (wrapped: boolean) => JSON.parse(framed(streamFraming({ wrapped, sse: false }), PIECES));
  expect(array(false)).toEqual([{ a: 'ü' }, { b: 2 }]);
  expect(array(true)).toEqual([
    { code: 200, data: { a: 'ü' } },
    { code: 200, data: { b: 2 } },
  ]);
});
