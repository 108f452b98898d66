import * as fc from 'fast-check';
import { createEventSplitter, MalformedAnswerError } from './event-splitter';

const MAX_BYTES = 1000;

function split(pieces: readonly (string | Buffer)[]): string[] {
  const splitter = createEventSplitter(MAX_BYTES);
  const events = pieces.flatMap((piece) => splitter.push(Buffer.from(piece)));
  return [...events, ...splitter.end()].map((event) => event.toString());
}

describe('events', () => {
  it.each(['\n', '\r\n'])('are separated by blank lines that end in %j', (end) => {
    expect(split([`data: {"a":1}${end}${end}data: {"b":2}${end}${end}`])).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('come out as soon as they are complete', () => {
    const splitter = createEventSplitter(MAX_BYTES);
    expect(splitter.push(Buffer.from('data: {"a"'))).toEqual([]);
    expect(splitter.push(Buffer.from(':1}\r\n'))).toEqual([]);
    expect(splitter.push(Buffer.from('\r\ndata: '))).toEqual([Buffer.from('{"a":1}')]);
  });

  it('are the same however their bytes are cut', () => {
    const text = 'data: {"tide":"満潮 🌊"}\r\n\r\n: a remark\ndata:{"b":\ndata: 2}\n\ndata: {"c":3}';
    const bytes = Buffer.from(text);
    void fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(split(pieces)).toEqual(['{"tide":"満潮 🌊"}', '{"b": 2}', '{"c":3}']);
      }),
    );
  });

  it('have their data alone, without names, ids, remarks and empty events', () => {
    expect(split(['event: message\nid: 7\ndata: {}\n\n\n\n: ping\n\nretry: 10\n\n'])).toEqual(['{}']);
  });

  it('have a bound, complete or not, of one line or many', () => {
    const long = 'x'.repeat(MAX_BYTES);
    expect(() => split([`data: ${long}\n\n`])).toThrow(MalformedAnswerError);
    expect(() => split([`data: ${long}`])).toThrow(MalformedAnswerError);
    expect(() => split(Array.from({ length: 20 }, () => `data: ${'x'.repeat(100)}\n`))).toThrow(MalformedAnswerError);
    const many = Array.from({ length: 20 }, () => `data: ${'x'.repeat(100)}\n\n`);
    expect(split(many)).toHaveLength(20);
  });
});
