import { ConfigError } from './config';
import { refuseProxies } from './outgoing';

it.each(['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'all_proxy'])(
  'a process does not start with %s, which its connections would pass by, and names it without its value',
  (name) => {
    const start = () => refuseProxies({ [name]: 'http://user:secret@proxy.example:3128' });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`${name.toUpperCase()} is set.*CONNECT_DIRECTLY=1`));
    expect(start).not.toThrow(/proxy\.example|secret/);
  },
);

it('a process starts where no proxy is named', () => {
  expect(() => refuseProxies({ HTTPS_PROXY: '', NO_PROXY: 'localhost' })).not.toThrow();
});
