import { createLinks } from '@mediagate/media';
import { withBriefLinks } from './brief-links';

const NOW_MS = Date.UTC(2026, 10, 1);
const links = createLinks({
  publicBaseUrl: 'https://media.example',
  secrets: ['a secret of many characters'],
  now: () => NOW_MS,
});
const ID = '0'.repeat(26);
const signedFor = (seconds: number) =>
  links.sign({ id: ID, extension: 'png', expiresAt: new Date(NOW_MS + seconds * 1000) });
const brief = (url: string) => withBriefLinks({ results: [{ url }] }, links, NOW_MS);

it('a link of our own ends soon, and never later than it would have', () => {
  expect(brief(signedFor(86_400))).toEqual({ results: [{ url: signedFor(900) }] });
  expect(brief(signedFor(60))).toEqual({ results: [{ url: signedFor(60) }] });
});

it('a text that only looks like a link of ours opens no file', () => {
  const forged = `https://media.example/v1/files/${ID}.png?expires=9999999999&signature=x`;
  expect(brief(forged)).toEqual({ results: [{ url: forged }] });
});

it('a link that leads elsewhere stays', () => {
  expect(brief('https://elsewhere.example/a.png')).toEqual({ results: [{ url: 'https://elsewhere.example/a.png' }] });
});
