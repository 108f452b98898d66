import { createHmac } from 'node:crypto';
import { authorization } from './authorization';

const NOW_MS = 1_789_000_000_000;

describe('the header of a Kling call', () => {
  it('is a plain key as it is', () => {
    expect(authorization('key-for-tests', NOW_MS)).toEqual({ authorization: 'Bearer key-for-tests' });
  });

  it('is a token for half an hour, signed by the secret, where the key is a pair; the secret may hold colons', () => {
    const [scheme, token = ''] = (authorization('access-1:secret:of:mine', NOW_MS)['authorization'] ?? '').split(' ');
    const [header = '', claims = '', signature] = token.split('.');
    expect(scheme).toBe('Bearer');
    expect(decoded(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decoded(claims)).toEqual({ iss: 'access-1', exp: 1_789_001_800, nbf: 1_788_999_995 });
    const expected = createHmac('sha256', 'secret:of:mine').update(`${header}.${claims}`).digest('base64url');
    expect(signature).toBe(expected);
  });
});

function decoded(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
