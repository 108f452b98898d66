import { inEnglish, message } from '@mediagate/contracts';
import { exemptionOf, withExemption } from './exemption';

const PROBLEM = message('port', { port: 9000 });

describe('an address that no callback goes to', () => {
  it.each(['blocked_address', 'blocked_port', 'own_domain'])(
    'is in the log with the variable that allows it: %s',
    (reason) => {
      expect(exemptionOf({ url: 'http://localhost:9000/a/callback', reason })).toBe(
        'http://localhost:9000 is called once CALLBACK_ALLOW_ORIGINS names it',
      );
    },
  );

  it('is in the log without it where no variable would help', () => {
    expect(exemptionOf({ url: 'no URL', reason: 'bad_url' })).toBeUndefined();
  });

  it.each([
    'http://localhost:9000',
    'http://[::1]:9000',
    'http://192.168.1.5:9000',
    'http://receiver:9000',
    'https://hooks.example:9000',
  ])('is told to its caller by its whole origin, with the variable: %s', (url) => {
    expect(inEnglish(withExemption(PROBLEM, { url: `${url}/hooks`, reason: 'blocked_port' }))).toBe(
      `Port 9000 is not allowed. Whoever runs this service lets callbacks go to ${url} by naming it in CALLBACK_ALLOW_ORIGINS.`,
    );
  });

  it.each([
    ['http://localhost/a#b', 'fragment'],
    ['nothing', 'blocked_address'],
  ])('is told as it is elsewhere: %s', (url, reason) => {
    expect(withExemption(PROBLEM, { url, reason })).toBe(PROBLEM);
  });
});
