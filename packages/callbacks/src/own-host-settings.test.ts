import { loadConfig } from '@mediagate/host';
import { judgeWebhook } from './callback-url';
import { ownHostSettings } from './own-host-settings';

const judgedWith = (OWN_HOSTS: string, url: string) => {
  const { OWN_HOSTS: ownHosts } = loadConfig(ownHostSettings, { OWN_HOSTS });
  return judgeWebhook(url, { client: { checkUrl: () => undefined }, ownHosts });
};

it.each([
  ['gateway.example:8443', 'https://gateway.example/'],
  ['GÄTEWAY.example.', 'https://hooks.xn--gteway-bua.example/'],
  ['2606:4700::1', 'https://[2606:4700:0::1]/'],
])('own hosts as %s are never called back', (own, url) => {
  expect(judgedWith(own, url)).toMatchObject({ ok: false, reason: 'own_domain' });
});

it('an own host that could never be met is refused at the start', () => {
  expect(() => judgedWith('https://gateway.example', 'https://gateway.example/')).toThrow(
    'OWN_HOSTS has https://gateway.example, which is no host, as gateway.example is',
  );
});
