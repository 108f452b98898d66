import { replyWith, startReplayServer } from '../src/conformance/replay-server';
import { createHttpClient } from '../src/http-client';
import { base64Text, payload } from '../src/payload';

it('a file in a body is its base64 on the wire, of announced length, as often as the body is sent', async () => {
  const server = await startReplayServer((response) => replyWith(response, 200, {}, {}));
  const http = createHttpClient();
  const { signal } = new AbortController();
  const [large, small, none] = [Buffer.alloc(200_001, 'é"\\'), Buffer.from('a'), Buffer.alloc(0)];
  const body = {
    json: {
      prompt: 'é',
      images: [base64Text(large, 'data:image/png;base64,'), base64Text(small)],
      mask: base64Text(none),
    },
  };
  const expected = {
    prompt: 'é',
    images: [`data:image/png;base64,${large.toString('base64')}`, small.toString('base64')],
    mask: '',
  };
  const request = { method: 'POST', url: server.origin, headers: {}, body, signal } as const;
  for (const _ of [1, 2]) await http.send({ ...request, timeoutMs: 60_000, maxResponseBytes: 1_000 });
  await http.close();
  await server.close();
  expect(server.received).toHaveLength(2);
  for (const { body: sent, headers } of server.received) {
    expect(JSON.parse(sent.toString())).toEqual(expected);
    expect(headers['content-length']).toBe(String(sent.length));
  }
});

it('a body with files is made piece by piece', async () => {
  const { data } = payload({ json: { image: base64Text(Buffer.alloc(1_000_000)) } });
  if (data === undefined || Buffer.isBuffer(data)) throw new Error('expected a stream');
  for await (const piece of data) expect((piece as Buffer).length).toBeLessThanOrEqual(64 * 1024);
});
