import { generateKeyPairSync } from 'node:crypto';
import { verify } from 'jsonwebtoken';
import { createGeminiText, createHttpClient } from '../src';
import { answerExcerpt, logAnswers } from '../src/answer-log';
import { type ReplayServer, replyWith, startReplayServer } from '../src/conformance/replay-server';
import { createGeminiKey } from '../src/gemini-call';
import { geminiErrors } from '../src/gemini-errors';
import { callVendor } from '../src/vendor-call';
import { callContext } from './fixtures';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const TOKEN_PATH = '/token';

/** The answer of the token's host, and whether the vendor takes a token. */
interface Hosts {
  status?: number;
  answer?: (count: number) => object;
  takes?: (authorization: string) => boolean;
}

let server: ReplayServer;
const http = createHttpClient();
afterEach(() => server.close());
afterAll(async () => {
  await http.close();
});

const freshToken = (count: number) => ({ access_token: `token-${count}`, expires_in: 3599, token_type: 'Bearer' });

async function open({ status = 200, answer = freshToken, takes = () => true }: Hosts = {}) {
  server = await startReplayServer((response) => {
    const { path, headers } = server.received.at(-1) ?? { path: '', headers: {} };
    if (path === TOKEN_PATH) return replyWith(response, status, {}, answer(tokenRequests().length));
    if (takes(headers.authorization ?? '')) return replyWith(response, 200, {}, { candidates: [] });
    return replyWith(
      response,
      401,
      {},
      { error: { code: 401, status: 'UNAUTHENTICATED', message: 'Request had invalid credentials.' } },
    );
  });
  return callerOf(accountAt(`${server.origin}${TOKEN_PATH}`));
}

const accountAt = (tokenUrl: string) => ({
  type: 'service_account',
  client_email: 'gateway@project.iam.gserviceaccount.com',
  private_key: PEM,
  private_key_id: 'key-1',
  token_uri: tokenUrl,
});

function callerOf(account: object | string) {
  const credentials = createGeminiKey(http);
  const { endpoint: plain, signal } = callContext(`${server.origin}/v1/publishers/google`);
  const endpoint = { ...plain, apiKey: typeof account === 'string' ? account : JSON.stringify(account) };
  const call = () =>
    callVendor(http, {
      method: 'POST',
      url: `${endpoint.baseUrl}/models/m:generateContent`,
      key: { credentials, endpoint },
      body: { json: {} },
      signal,
      timeoutMs: 60_000,
      maxResponseBytes: 10_000,
      dialect: geminiErrors,
      confidential: { apiKey: endpoint.apiKey },
    });
  return { call, endpoint, signal };
}

const tokenRequests = () => server.received.filter(({ path }) => path === TOKEN_PATH);
const vendorCalls = () => server.received.filter(({ path }) => path !== TOKEN_PATH);

describe('the key of a service account', () => {
  it('is given for a token, which alone is shown to the vendor', async () => {
    const { call } = await open();
    expect(await call()).toMatchObject({ ok: true });
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = tokenRequests();
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    const form = new URLSearchParams(body.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const options = {
      algorithms: ['RS256' as const],
      audience: `${server.origin}${TOKEN_PATH}`,
      complete: true,
    } as const;
    const { header, payload } = verify(form.get('assertion') ?? '', publicKey, { ...options, algorithms: ['RS256'] });
    expect(header).toMatchObject({ alg: 'RS256', kid: 'key-1' });
    const { iss, scope, iat = 0, exp = 0 } = payload as Record<string, number & string>;
    expect({ iss, scope, seconds: exp - iat }).toEqual({
      iss: 'gateway@project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      seconds: 3600,
    });
    expect(vendorCalls().map((sent) => sent.headers.authorization)).toEqual(['Bearer token-1']);
    expect(JSON.stringify(vendorCalls().map((sent) => sent.headers))).not.toContain('x-goog-api-key');
  });

  it('is used once for all calls of an hour, however many come at once', async () => {
    const { call } = await open();
    await Promise.all(Array.from({ length: 10 }, call));
    await call();
    expect([tokenRequests().length, vendorCalls().length]).toEqual([1, 11]);
  });

  it('is used again when its token is in its last minute', async () => {
    const { call } = await open({ answer: (count) => ({ ...freshToken(count), expires_in: 60 }) });
    do await call();
    while (tokenRequests().length < 2);
    expect(vendorCalls().at(-1)?.headers.authorization).toBe(`Bearer token-${tokenRequests().length}`);
  });

  it('is used once more where the vendor refuses the token, for all that were refused it', async () => {
    const { call } = await open({ takes: (authorization) => authorization !== 'Bearer token-1' });
    const replies = await Promise.all(Array.from({ length: 5 }, call));
    expect(replies.every(({ ok }) => ok)).toBe(true);
    expect(tokenRequests()).toHaveLength(2);
  });

  it('is the operator’s to mend where no token is taken, after two calls', async () => {
    const { call } = await open({ takes: () => false });
    expect(await call()).toMatchObject({ ok: false, fault: { code: 'operator' } });
    expect([tokenRequests().length, vendorCalls().length]).toEqual([2, 2]);
  });

  it.each([
    [
      400,
      { error: 'invalid_grant', error_description: `Invalid JWT ${PEM}` },
      'operator',
      'no token: HTTP 400 invalid_grant',
    ],
    [503, {}, 'not_accepted', 'no token: HTTP 503'],
    [200, {}, 'not_accepted', 'no token: not in the answer'],
  ])('is shown to nobody where its host answers %i', async (status, answer, code, detail) => {
    const { call } = await open({ status, answer: () => answer });
    expect(await call()).toEqual({ ok: false, fault: { code, detail } });
    expect(vendorCalls()).toEqual([]);
  });

  it.each<[string, () => object | string]>([
    ['leads elsewhere', () => accountAt('http://169.254.169.254/token')],
    ['is no key', () => ({ ...accountAt(server.origin), private_key: 'a secret that is no key' })],
    ['has no owner', () => ({ private_key: PEM })],
    ['is JSON within JSON', () => JSON.stringify('{"private_key": "a secret that is no key"}')],
    ['stands in a list', () => '\n[{"private_key": "a secret that is no key"}]'],
    ['is no JSON, behind a space', () => ' {"private_key": "a secret that is no key'],
    ['is no JSON', () => '{"private_key": "a secret that is no key'],
  ])('that %s is the operator’s to mend, and nothing is sent', async (_, account) => {
    await open();
    const reply = await callerOf(account()).call();
    expect(reply).toMatchObject({ ok: false, fault: { code: 'operator' } });
    expect(JSON.stringify(reply)).not.toMatch(/PRIVATE KEY|a secret/);
    expect(server.received).toEqual([]);
  });

  it('is shown to the text models the same way', async () => {
    const { endpoint, signal } = await open({ takes: (authorization) => authorization === 'Bearer token-2' });
    const text = createGeminiText(http);
    const body = Buffer.from('{}');
    const answer = await text.call({ method: 'generateContent', sse: false, body, json: {} }, { endpoint, signal });
    if (answer.kind !== 'answer') throw new Error(answer.fault.detail);
    answer.body.close();
    expect(vendorCalls().map((sent) => sent.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('stands with its token in no answer that is kept', async () => {
    const { call, endpoint } = await open({ takes: () => false, answer: freshToken });
    const log = {};
    await logAnswers(log, call);
    const kept = answerExcerpt(log, { apiKey: endpoint.apiKey, input: {} });
    expect(kept).toContain('UNAUTHENTICATED');
    const alone = {};
    await logAnswers(alone, () =>
      callerOf({ ...accountAt(`${server.origin}${TOKEN_PATH}`), client_email: 'other' }).call(),
    );
    expect(JSON.stringify([log, alone])).not.toContain('token-');
  });
});

it('a key that is shown as it is is refused after one call', async () => {
  await open({ takes: () => false });
  expect(await callerOf('a-plain-key').call()).toMatchObject({ ok: false, fault: { code: 'operator' } });
  expect(server.received.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['a-plain-key']);
});
