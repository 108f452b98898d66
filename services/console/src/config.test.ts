import { ConfigError } from '@mediagate/host';
import { checkSettings } from './config';

const SETTINGS = {
  CONSOLE_SECRET: 'x'.repeat(32),
  CONSOLE_PUBLIC_URL: undefined,
  CONSOLE_HEALTH_URLS: [],
  CONSOLE_MEDIA_ORIGINS: [],
  OIDC_ISSUER: undefined,
  OIDC_CLIENT_ID: undefined,
  OIDC_CLIENT_SECRET: undefined,
  OIDC_ROLES: [],
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
