import { type Aws4Key, aws4Headers, aws4Key, signAws4 } from './aws4';
import { sha256Of } from './hmac';

const WORDS = { region: 'us-east-1', service: 'service' };
const KEY: Aws4Key = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const NOW_MS = Date.parse('2015-08-30T12:36:00Z');

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW_MS));
afterEach(() => jest.restoreAllMocks());

/**
 * AWS's own cases: tests/aws-signing-test-suite/v4 of github.com/awslabs/aws-c-auth, Apache-2.0, of 2026-08-18, the signatures of
 * headers. Each has a name, a request, and its signature. `get-space-unnormalized` of the 38 is left out: a path that is taken as it is
 * has no space, because it comes from a URL.
 */
const CASES = `
get-header-key-duplicate | GET / | c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea
get-header-value-multiline | GET / | cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd
get-header-value-order | GET / | 08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01
get-header-value-trim | GET / | acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736
get-relative-normalized | GET /example/.. | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
get-relative-relative-normalized | GET /example1/example2/../.. | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
get-relative-relative-unnormalized | GET /example1/example2/../.. | dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b
get-relative-unnormalized | GET /example/.. | eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282
get-slash-dot-slash-normalized | GET /./ | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
get-slash-dot-slash-unnormalized | GET /./ | 68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145
get-slash-normalized | GET // | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
get-slash-pointless-dot-normalized | GET /./example | ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5
get-slash-pointless-dot-unnormalized | GET /./example | beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff
get-slash-unnormalized | GET // | c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e
get-slashes-normalized | GET //example// | 9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84
get-slashes-unnormalized | GET //example// | 87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5
get-space-normalized | GET /example space/ | 652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741
get-unreserved | GET /-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz | 07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f
get-utf8 | GET /ሴ | 8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85
get-vanilla-empty-query-key | GET /?Param1=value1 | a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb
get-vanilla-query-order-encoded | GET /?Param-3=Value3&Param=Value2&%E1%88%B4=Value1 | 371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac
get-vanilla-query-order-key-case | GET /?Param2=value2&Param1=value1 | b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500
get-vanilla-query-unreserved | GET /?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz | 9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197
get-vanilla-query | GET / | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
get-vanilla-utf8-query | GET /?ሴ=bar | 2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04
get-vanilla-with-session-token | GET / | 07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8
get-vanilla | GET / | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
post-header-key-case | POST / | 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
post-header-key-sort | POST / | c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c
post-header-value-case | POST / | cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d
post-sts-header-after | POST / | 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
post-sts-header-before | POST / | 85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead
post-vanilla-empty-query-value | POST /?Param1=value1 | 28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11
post-vanilla-query | POST /?Param1=value1 | 28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11
post-vanilla | POST / | 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
post-x-www-form-urlencoded-parameters | POST / | 328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422
post-x-www-form-urlencoded | POST / | d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b
`;

const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/' +
  'qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38x' +
  'Vqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
const SESSIONS: Readonly<Record<string, string>> = {
  'get-vanilla-with-session-token': '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267',
  'post-sts-header-before': TOKEN,
  'post-sts-header-after': TOKEN,
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '13' };
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'get-header-key-duplicate': { 'my-header1': 'value2,value2,value1' },
  'get-header-value-multiline': { 'my-header1': 'value1\n  value2\n     value3' },
  'get-header-value-order': { 'my-header1': 'value4,value1,value3,value2' },
  'get-header-value-trim': { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' },
  'post-header-key-sort': { 'my-header1': 'value1' },
  'post-header-value-case': { 'my-header1': 'VALUE1' },
  'post-x-www-form-urlencoded': FORM,
  'post-x-www-form-urlencoded-parameters': { ...FORM, 'content-type': `${FORM['content-type']}; charset=utf-8` },
};

const signatureIn = (headers: Record<string, string>) => /Signature=(\w+)$/.exec(headers['authorization'] ?? '')?.[1];

describe('the signature of AWS’s case', () => {
  it.each(
    CASES.trim()
      .split('\n')
      .map((line) => line.split(' | ')),
  )('%s', async (name = '', request = '', signature = '') => {
    const [, method = '', path = '', query = ''] = /^(\w+) ([^?]*)\??(.*)$/.exec(request) ?? [];
    const headers = { host: 'example.amazonaws.com', ...HEADERS[name] };
    const isForm = 'content-length' in headers;
    const sessionToken = SESSIONS[name];
    const unsigned = [
      ...(isForm ? [] : ['x-amz-content-sha256']),
      ...(name === 'post-sts-header-after' ? ['x-amz-security-token'] : []),
    ];
    const signed = await signAws4(
      WORDS,
      { ...KEY, ...(sessionToken === undefined ? {} : { sessionToken }) },
      {
        method,
        path,
        query: Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, [value]])),
        headers,
        bodySha256: await sha256Of(isForm ? [Buffer.from('Param1='), Buffer.from('value1')] : []),
      },
      { unsigned, isPathAsItIs: name.endsWith('-unnormalized') },
    );
    expect(signatureIn(signed)).toBe(signature);
  });
});

it('signs the address, the headers and the body that are sent', async () => {
  const call = {
    method: 'POST' as const,
    url: 'http://render.internal:8080/v1/jobs?b=2&a=1%202',
    headers: { 'Content-Type': 'application/json', 'x-team': ' gateway\n' },
    body: () => [Buffer.from('{"a":'), Buffer.from('1}')],
  };
  const headers = await aws4Headers(WORDS, { ...KEY, sessionToken: 'token-1' }, call);
  const bodySha256 = await sha256Of([Buffer.from('{"a":1}')]);
  expect(headers).toEqual({
    'x-amz-date': '20150830T123600Z',
    'x-amz-security-token': 'token-1',
    'x-amz-content-sha256': bodySha256,
    authorization: expect.stringContaining(
      'SignedHeaders=accept;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-team,',
    ),
  });
  const signature = signatureIn(headers);
  for (const other of [
    { ...call, method: 'PUT' as const },
    { ...call, url: call.url.replace('8080', '8081') },
    { ...call, url: call.url.replace('jobs', 'job') },
    { ...call, url: call.url.replace('a=1', 'a=3') },
    { ...call, headers: { ...call.headers, 'x-team': 'other' } },
    { ...call, body: () => [Buffer.from('{"a":2}')] },
  ])
    expect(signatureIn(await aws4Headers(WORDS, { ...KEY, sessionToken: 'token-1' }, other))).not.toBe(signature);
  const reordered = { ...call, url: 'http://render.internal:8080/v1/jobs?a=1%202&b=2' };
  expect(signatureIn(await aws4Headers(WORDS, { ...KEY, sessionToken: 'token-1' }, reordered))).toBe(signature);
});

it.each([
  ['id:secret', { id: 'id', secret: 'secret' }],
  ['id:secret:token/+=', { id: 'id', secret: 'secret', sessionToken: 'token/+=' }],
  ['id:secret\n', { id: 'id', secret: 'secret' }],
  ['secret', undefined],
  ['id:', undefined],
  [':secret', undefined],
  ['id:secret:token:more', undefined],
])('reads the key %j', (apiKey, key) => {
  expect(aws4Key(apiKey)).toEqual(key);
});
