import { timeOrderedId } from '@mediagate/contracts';
import { createLinks } from './links';

const NOW_MS = 1_800_000_000_500;
const options = {
  publicBaseUrl: 'https://media.example',
  secrets: ['a-secret-of-some-length'] as const,
  now: () => NOW_MS,
};
const links = createLinks(options);
const id = timeOrderedId();
const inAMinute = new Date(NOW_MS + 60_000);

function partsOf(url: string) {
  const parts = links.parseOwnUrl(url);
  if (parts === undefined) throw new Error('not our own');
  return parts;
}

describe('links', () => {
  it('are the same at every reading, and valid until their second', () => {
    const url = links.sign({ id, extension: 'png', expiresAt: inAMinute });
    expect(url).toMatch(
      new RegExp(`^https://media\\.example/v1/files/${id}\\.png\\?expires=1800000060&signature=[\\w-]{43}$`),
    );
    expect(links.sign({ id, extension: 'png', expiresAt: inAMinute })).toBe(url);
    const { expires, signature } = partsOf(url);
    expect(links.verify(id, expires, signature)).toBe('valid');
    const at = (now: number) => createLinks({ ...options, now: () => now }).verify(id, expires, signature);
    expect(at(1_800_000_059_999)).toBe('valid');
    expect(at(1_800_000_060_000)).toBe('expired');
  });

  it('open nothing once a letter of them changed', () => {
    const { expires, signature } = partsOf(links.sign({ id, extension: 'png', expiresAt: inAMinute }));
    const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    expect(links.verify(timeOrderedId(), expires, signature)).toBe('forged');
    expect(links.verify(id, String(Number(expires) + 1), signature)).toBe('forged');
    expect(links.verify(id, `0${expires}`, signature)).toBe('forged');
    expect(links.verify(id, `${expires}.0`, signature)).toBe('forged');
    expect(links.verify(id, expires, other)).toBe('forged');
    expect(links.verify(id, expires, `${signature}=`)).toBe('forged');
    expect(links.verify(id, expires, signature.slice(1))).toBe('forged');
    expect(links.verify(id, expires, 'é'.repeat(43))).toBe('forged');
    expect(links.verify(id, '', '')).toBe('forged');
  });

  it('of another secret are forged, even when they would have expired', () => {
    const foreign = createLinks({ ...options, secrets: ['another-secret-altogether'] });
    const { expires, signature } = partsOf(
      foreign.sign({ id, extension: 'png', expiresAt: new Date(NOW_MS - 60_000) }),
    );
    expect(links.verify(id, expires, signature)).toBe('forged');
  });

  it('of the secret before open, and none is signed by it any more', () => {
    const before = partsOf(links.sign({ id, extension: 'png', expiresAt: inAMinute }));
    const now = createLinks({ ...options, secrets: ['another-secret-altogether', options.secrets[0]] });
    expect(now.verify(id, before.expires, before.signature)).toBe('valid');
    const after = partsOf(now.sign({ id, extension: 'png', expiresAt: inAMinute }));
    expect(now.verify(id, after.expires, after.signature)).toBe('valid');
    expect(links.verify(id, after.expires, after.signature)).toBe('forged');
  });

  it('are recognised among other people’s', () => {
    const own = `https://media.example/v1/files/${id}.png`;
    expect(links.parseOwnUrl(own)).toEqual({ id, extension: 'png', expires: '', signature: '' });
    expect(links.parseOwnUrl(`HTTPS://MEDIA.EXAMPLE:443/v1/./files/${id}.png?x=1`)).toMatchObject({ id });
    for (const foreign of [
      `http://media.example/v1/files/${id}.png`,
      `https://media.example:8443/v1/files/${id}.png`,
      `https://media.example.evil.example/v1/files/${id}.png`,
      `https://evil.example/?https://media.example/v1/files/${id}.png`,
      `https://media.example/v1/files/${id}`,
      `https://media.example/v1/files/a/${id}.png`,
      `https://media.example/v1/files/../${id}.png`,
      'https://media.example/v1/files/short.png',
      'https://media.example/v1/balance',
      'nonsense',
    ]) {
      expect(links.parseOwnUrl(foreign)).toBeUndefined();
    }
  });

  it('may live under a path', () => {
    const nested = createLinks({ ...options, publicBaseUrl: 'https://example.com/media/' });
    const url = nested.sign({ id, extension: 'png', expiresAt: inAMinute });
    expect(url).toMatch(/^https:\/\/example\.com\/media\/v1\/files\//);
    expect(nested.parseOwnUrl(url)).toMatchObject({ id });
    expect(nested.parseOwnUrl(`https://example.com/v1/files/${id}.png`)).toBeUndefined();
  });

  it('are not made with a secret that could be guessed or a base that is no URL', () => {
    expect(() => createLinks({ ...options, secrets: ['short'] })).toThrow(TypeError);
    expect(() => createLinks({ ...options, secrets: [options.secrets[0], 'short'] })).toThrow(TypeError);
    expect(() => createLinks({ ...options, publicBaseUrl: 'media.example' })).toThrow('Invalid URL');
  });
});
