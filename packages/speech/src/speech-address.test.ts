import { readSpeechAddress, urlOf } from './speech-address';

describe('the address at which workers bring speech', () => {
  it.each([
    ['127.0.0.1:0', undefined, 'http://127.0.0.1:9'],
    ['10.0.0.5:8090', undefined, 'http://10.0.0.5:9'],
    ['[::1]:8090', undefined, 'http://[::1]:9'],
    ['0.0.0.0:8090', 'api.internal', 'http://api.internal:9'],
    ['[::]:8090', 'fd00::5', 'http://[fd00::5]:9'],
  ])('%s, advertised as %s, is %s', (listen, advertise, url) => {
    expect(urlOf(readSpeechAddress(listen, advertise), 9)).toBe(url);
  });

  it('is one of this machine where it listens at any', () => {
    expect(new URL(urlOf(readSpeechAddress('0.0.0.0:0'), 9)).hostname).not.toBe('0.0.0.0');
  });

  it.each(['off', '8090', 'host:', 'host:99999', ''])('is not "%s"', (listen) => {
    expect(() => readSpeechAddress(listen)).toThrow('SPEECH_LISTEN');
  });
});
