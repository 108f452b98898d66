import type { NetworkInterfaceInfo } from 'node:os';
import { readSpeechAddress, urlOf } from './speech-address';

function interfaceOf(address: string, internal = false): NetworkInterfaceInfo {
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  return { address, internal, family } as NetworkInterfaceInfo;
}

const LOOPBACK = { lo: [interfaceOf('127.0.0.1', true), interfaceOf('::1', true)] };
const MACHINE = { ...LOOPBACK, eth0: ['fe80::5', '2001:db8::5', '10.0.0.5'].map((address) => interfaceOf(address)) };

describe('the address at which workers bring speech', () => {
  it.each([
    ['127.0.0.1:0', undefined, 'http://127.0.0.1:9'],
    ['localhost:0', undefined, 'http://localhost:9'],
    ['10.0.0.5:8090', undefined, 'http://10.0.0.5:9'],
    ['[::1]:8090', undefined, 'http://[::1]:9'],
    ['0.0.0.0:8090', 'api.internal', 'http://api.internal:9'],
    ['[::]:8090', 'fd00::5', 'http://[fd00::5]:9'],
    ['0.0.0.0:8090', undefined, 'http://10.0.0.5:9'],
    ['[::]:8090', undefined, 'http://[2001:db8::5]:9'],
    ['[::0]:8090', undefined, 'http://[2001:db8::5]:9'],
  ])('%s, advertised as %s, is %s', (listen, advertise, url) => {
    expect(urlOf(readSpeechAddress(listen, advertise, MACHINE), 9)).toBe(url);
  });

  it.each(['0.0.0.0:8090', '[::]:8090'])('is none for %s where the machine has loopback alone', (listen) => {
    expect(() => readSpeechAddress(listen, undefined, LOOPBACK)).toThrow('set SPEECH_ADVERTISE');
    expect(urlOf(readSpeechAddress('127.0.0.1:0', undefined, LOOPBACK), 9)).toBe('http://127.0.0.1:9');
  });

  it.each(['10.0.0.5:8090', '', 'http://10.0.0.5', '10.0.0.5/path', 'me@10.0.0.5', '[fd00::5]:8090', 'fe80::1%eth0'])(
    'is not advertised as "%s"',
    (advertise) => {
      expect(() => readSpeechAddress('0.0.0.0:8090', advertise, MACHINE)).toThrow('SPEECH_ADVERTISE is not a host');
    },
  );

  it.each(['off', '8090', 'host:', 'host:99999', ''])('is not "%s"', (listen) => {
    expect(() => readSpeechAddress(listen)).toThrow('SPEECH_LISTEN');
  });
});
