import { readConfig } from './config';

describe('readConfig', () => {
  it('has a default for everything but the ffmpeg', () => {
    expect(readConfig({ FFMPEG_PATH: '/opt/ffmpeg' })).toEqual({
      port: 9_900,
      host: '127.0.0.1',
      imageMs: 80,
      videoMs: 1_000,
      ffmpegPath: '/opt/ffmpeg',
      fetchHosts: ['127.0.0.1', 'localhost', '[::1]'],
      requestsPerMinute: 100_000,
    });
  });

  it('reads every variable', () => {
    const env = {
      PORT: '0',
      HOST: '::1',
      SIM_IMAGE_MS: '5',
      SIM_VIDEO_MS: '60000',
      FFMPEG_PATH: '/opt/ffmpeg',
      SIM_FETCH_HOSTS: 'a, b',
      SIM_REQUESTS_PER_MINUTE: '60',
    };
    expect(readConfig(env)).toEqual({
      port: 0,
      host: '::1',
      imageMs: 5,
      videoMs: 60_000,
      ffmpegPath: '/opt/ffmpeg',
      fetchHosts: ['a', 'b'],
      requestsPerMinute: 60,
    });
  });

  it('names every wrong one at once', () => {
    expect(() => readConfig({ PORT: '70000', SIM_IMAGE_MS: 'fast' })).toThrow(/PORT .*SIM_IMAGE_MS /);
  });

  it.each(['http://127.0.0.1', '127.0.0.1:9000', '::1', 'A.example', '*.a.example', 'a.example/files'])(
    'takes no host of links as %s, which is none that a link has',
    (host) => {
      expect(() => readConfig({ FFMPEG_PATH: '/opt/ffmpeg', SIM_FETCH_HOSTS: `a.example,${host}` })).toThrow(
        `SIM_FETCH_HOSTS must be hosts as links name them, without scheme and port: ${host}`,
      );
    },
  );

  it('reads an empty list of hosts as absent', () => {
    const { fetchHosts } = readConfig({ FFMPEG_PATH: '/opt/ffmpeg', SIM_FETCH_HOSTS: '' });
    expect(fetchHosts).toContain('127.0.0.1');
  });

  it.each([undefined, '', 'ffmpeg', 'bin/ffmpeg'])('takes no ffmpeg but by its path, not %s', (path) => {
    expect(() => readConfig({ FFMPEG_PATH: path })).toThrow('FFMPEG_PATH must be the absolute path of ffmpeg');
  });
});
