import { arkErrors } from '../src/ark-images/errors';
import { type Replay, type ReplayServer, replyWith, startReplayServer } from '../src/conformance/replay-server';
import type { Credentials } from '../src/contract';
import { createHttpClient, type HttpClient } from '../src/http-client';
import { base64Text } from '../src/payload';
import { staticKey } from '../src/send-with-key';
import { callVendor, callVendorForFile, type VendorCall } from '../src/vendor-call';
import { callContext } from './fixtures';

let server: ReplayServer | undefined;
let http: HttpClient;

beforeEach(() => {
  http = createHttpClient();
});

afterEach(async () => {
  await http.close();
  await server?.close();
});

const credentials = staticKey(({ apiKey }) => ({ 'x-key': apiKey }));

async function callTo(replay: Replay): Promise<VendorCall> {
  server = await startReplayServer(replay);
  const { endpoint, signal } = callContext(server.origin);
  return {
    method: 'POST',
    url: server.origin,
    key: { credentials, endpoint },
    body: { json: {} },
    signal,
    timeoutMs: 60_000,
    maxResponseBytes: 1_000,
    dialect: arkErrors,
    confidential: { apiKey: endpoint.apiKey },
  };
}

describe('a call', () => {
  it('shows the key as the protocol says it', async () => {
    const call = await callTo((response) => replyWith(response, 200, {}, { fine: true }));
    const reply = await callVendor(http, { ...call, headers: { 'x-other': '1' } });
    expect(reply).toMatchObject({ ok: true, body: { fine: true } });
    expect(server?.received[0]?.headers).toMatchObject({ 'x-key': call.key?.endpoint.apiKey, 'x-other': '1' });
  });

  it.each([200, 410])('reports what its answer says of the model’s end, under %d', async (status) => {
    const sunset = 'Wed, 06 Jan 2027 00:00:00 GMT';
    const call = await callTo((response) => replyWith(response, status, { sunset }, {}));
    const heed = jest.fn();
    await callVendor({ ...http, heed }, call);
    const { channelId, model } = callContext('').endpoint;
    expect(heed.mock.calls).toEqual([[{ channelId, model, servedUntil: '2027-01-06', words: `Sunset: ${sunset}` }]]);
  });

  it('reports it of calls whose headers show the key, too', async () => {
    const call = await callTo((response) => replyWith(response, 200, { deprecation: 'true' }, {}));
    const { endpoint } = callContext('', {}, { model: 'flare' });
    const heed = jest.fn();
    const { key: _key, ...others } = call;
    await callVendor({ ...http, heed }, { ...others, headers: {}, endpoint });
    expect(heed.mock.calls).toMatchObject([[{ model: 'flare', words: 'Deprecation: true' }]]);
  });

  it('can be signed over what is sent, anew where it is sent again', async () => {
    const call = await callTo((response, index) => replyWith(response, index === 0 ? 401 : 200, {}, {}));
    const body = { json: { a: 'é', file: base64Text(Buffer.alloc(100_000, 7)) } };
    const signed: string[] = [];
    const credentials: Credentials = {
      async show(_context, sent) {
        const pieces: Buffer[] = [];
        for await (const piece of sent?.body() ?? []) pieces.push(piece);
        expect(pieces.length).toBeGreaterThan(2);
        signed.push(String(Buffer.concat(pieces)));
        expect(sent).toMatchObject({ method: 'POST', url: server?.origin, headers: { 'x-other': '1' } });
        return { ok: true, headers: { 'x-signature': String(signed.length) } };
      },
      renew: () => true,
    };
    const key = { credentials, endpoint: callContext('').endpoint };
    expect(await callVendor(http, { ...call, key, headers: { 'x-other': '1' }, body })).toMatchObject({ ok: true });
    const received = server?.received.map(({ headers, body }) => [headers['x-signature'], String(body)]);
    expect(received).toEqual(signed.map((text, index) => [String(index + 1), text]));
  });

  it('whose key cannot be had is not made', async () => {
    const call = await callTo((response) => replyWith(response, 200, {}, {}));
    const fault = { code: 'not_accepted', detail: 'not sent: deadline' } as const;
    const missing = { show: async () => ({ ok: false, fault }) as const };
    const reply = await callVendor(http, { ...call, key: { ...callContext(''), credentials: missing } });
    expect(reply).toEqual({ ok: false, fault });
    expect(server?.received).toEqual([]);
  });
});

describe('a call for a file', () => {
  const track = Buffer.from('ID3');

  it('gives its bytes and what the vendor calls them', async () => {
    const call = await callTo((response) => replyWith(response, 200, { 'content-type': 'audio/mpeg' }, track));
    expect(await callVendorForFile(http, call)).toMatchObject({ ok: true, bytes: track, contentType: 'audio/mpeg' });
  });

  const error = { error: { code: 'RateLimitExceeded', message: 'slower' } };
  const audio = { 'content-type': 'audio/mpeg' };
  it.each<[string, Replay, string]>([
    ['an error as JSON under 200', (response) => replyWith(response, 200, {}, error), 'rate_limited'],
    ['an error under its own status', (response) => replyWith(response, 429, {}, error), 'rate_limited'],
    ['an error under the type of a file', (response) => replyWith(response, 429, audio, error), 'rate_limited'],
    ['JSON without an error', (response) => replyWith(response, 200, {}, { fine: true }), 'outcome_unknown'],
    ['a page', (response) => replyWith(response, 200, { 'content-type': 'text/html' }, '<html>'), 'outcome_unknown'],
    ['nothing', (response) => replyWith(response, 200, audio, ''), 'generation_failed'],
  ])('makes no file of %s', async (_, replay, code) => {
    const reply = await callVendorForFile(http, await callTo(replay));
    expect(reply).toMatchObject({ ok: false, fault: { code } });
  });
});
