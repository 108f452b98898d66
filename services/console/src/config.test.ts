import { ConfigError } from '@mediagate/host';
import { checkSettings } from './config';

const SETTINGS = {
  CONSOLE_SECRET: 'x'.repeat(32),
  CONSOLE_PUBLIC_URL: undefined,
  CONSOLE_HEALTH_URLS: [],
  OIDC_ISSUER: undefined,
  OIDC_CLIENT_ID: undefined,
  OIDC_CLIENT_SECRET: undefined,
  OIDC_ROLES: [],
  OIDC_TRUST_EMAIL: false,
};

it.each(['https://example.com/gate/', 'https://example.com/gate', 'http://127.0.0.1:8081/a/b'])(
  'a console that would be reached under a path does not start: %s',
  (url) => {
    const check = () => checkSettings({ ...SETTINGS, CONSOLE_PUBLIC_URL: url });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(/CONSOLE_PUBLIC_URL has a path: serve the console under a host name of its own/);
  },
);

it.each([undefined, 'https://console.example', 'https://console.example/', 'http://127.0.0.1:8081'])(
  'a console that is reached at %s starts',
  (url) => expect(checkSettings({ ...SETTINGS, CONSOLE_PUBLIC_URL: url })).toEqual([]),
);

it.each(['common/v2.0', 'organizations/v2.0', 'consumers'])(
  'trusts no addresses of whoever opens a tenant: %s',
  (tenant) => {
    const oidc = {
      OIDC_ISSUER: `https://login.microsoftonline.com/${tenant}`,
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
    };
    const check = (trusts: boolean) => () => checkSettings({ ...SETTINGS, ...oidc, OIDC_TRUST_EMAIL: trusts });
    expect(check(true)).toThrow('OIDC_TRUST_EMAIL would trust every tenant');
    expect(check(false)).not.toThrow();
  },
);
