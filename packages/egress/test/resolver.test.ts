import { createSocket, type Socket } from 'node:dgram';
import { createResolve } from '../src/resolver';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;

type Zone = Partial<Record<typeof TYPE_A | typeof TYPE_AAAA, number[][] | 'nxdomain' | 'silent'>>;

let server: Socket;
let zone: Zone;
let questions: number;

/** A name server on loopback that knows one name. */
beforeEach(async () => {
  questions = 0;
  server = createSocket('udp4');
  server.on('message', (query, peer) => {
    questions += 1;
    const answer = answerTo(query);
    if (answer !== undefined) server.send(answer, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
});

afterEach(() => new Promise<void>((resolve) => server.close(resolve)));

function answerTo(query: Buffer): Buffer | undefined {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const records = zone[question.readUInt16BE(question.length - 4) as keyof Zone] ?? [];
  if (records === 'silent') return undefined;
  const found = records === 'nxdomain' ? [] : records;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + (records === 'nxdomain' ? NXDOMAIN : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const type = question.subarray(question.length - 4);
  const answers = found.map((address) => Buffer.from([0xc0, 12, ...type, 0, 0, 0, 60, 0, address.length, ...address]));
  return Buffer.concat([header, question, ...answers]);
}

function resolve(signal = new AbortController().signal): Promise<string[]> {
  const ask = createResolve([`127.0.0.1:${server.address().port}`]);
  return ask('name.example', { trusted: false, signal });
}

const V4 = [192, 0, 2, 7];
const V6 = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];

describe('a stranger’s name', () => {
  it('yields every address of both families, so that each is judged', async () => {
    zone = { [TYPE_A]: [V4, [127, 0, 0, 1]], [TYPE_AAAA]: [V6] };
    await expect(resolve()).resolves.toEqual(['192.0.2.7', '127.0.0.1', '2001:db8::7']);
  });

  it('may have addresses of one family only', async () => {
    zone = { [TYPE_A]: [V4], [TYPE_AAAA]: [] };
    await expect(resolve()).resolves.toEqual(['192.0.2.7']);
    zone = { [TYPE_A]: 'nxdomain', [TYPE_AAAA]: [V6] };
    await expect(resolve()).resolves.toEqual(['2001:db8::7']);
  });

  it('fails when nobody knows it', async () => {
    zone = { [TYPE_A]: 'nxdomain', [TYPE_AAAA]: 'nxdomain' };
    await expect(resolve()).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is not waited for once the signal came', async () => {
    zone = { [TYPE_A]: 'silent', [TYPE_AAAA]: 'silent' };
    const caller = new AbortController();
    server.once('message', () => caller.abort());
    await expect(resolve(caller.signal)).rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});

describe('an operator’s name', () => {
  it('is left to the system, which knows the hosts file', async () => {
    zone = {};
    const ask = createResolve([`127.0.0.1:${server.address().port}`]);
    const addresses = await ask('localhost', { trusted: true, signal: new AbortController().signal });
    expect(addresses).toContain('127.0.0.1');
    expect(questions).toBe(0);
  });
});
