import { readConfig } from './config';

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      port: 9_900,
      host: '127.0.0.1',
      imageMs: 80,
      fetchHosts: ['127.0.0.1', 'localhost', '[::1]'],
      requestsPerMinute: 100_000,
    });
  });

  it('reads every variable', () => {
    const env = { PORT: '0', HOST: '::1', SIM_IMAGE_MS: '5', SIM_FETCH_HOSTS: 'a, b', SIM_REQUESTS_PER_MINUTE: '60' };
    expect(readConfig(env)).toEqual({
      port: 0,
      host: '::1',
      imageMs: 5,
      fetchHosts: ['a', 'b'],
      requestsPerMinute: 60,
    });
  });

  it('names every wrong one at once', () => {
    expect(() => readConfig({ PORT: '70000', SIM_IMAGE_MS: 'fast' })).toThrow(/PORT .*SIM_IMAGE_MS /);
  });
});
