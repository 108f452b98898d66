import { isPublicAddress, isWithin, parseCidr } from './address';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '168.63.129.15',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const NOT_PUBLIC = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:53aa:64c:0:0:f5ff:fffe',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:0808:0808::1',
  '2606:4700::5efe:127.0.0.1',
  '2606:4700::200:5efe:10.0.0.1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  // Not in the form a resolver or a socket gives: never guessed at.
  '127.1',
  '0177.0.0.1',
  '0x7f000001',
  '2130706433',
  '8.8.8',
  '[2606:4700::1]',
  'example.com',
  '',
];

describe('isPublicAddress', () => {
  it.each(PUBLIC)('lets %s pass', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(NOT_PUBLIC)('refuses %p', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('isWithin', () => {
  const cidrs = ['10.0.0.0/8', 'fd00::/8'].map(parseCidr);

  it.each(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'])('finds %s', (address) => {
    expect(isWithin(address, cidrs)).toBe(true);
  });

  it.each(['11.0.0.1', '127.0.0.1', 'fc00::1', 'nonsense'])('does not find %s', (address) => {
    expect(isWithin(address, cidrs)).toBe(false);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', 'localhost', ''])('refuses to start with the range %p', (text) => {
    expect(() => parseCidr(text)).toThrow(TypeError);
  });
});
