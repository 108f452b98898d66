import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { openQueues } from '@mediagate/queue';
import { uniquePrefix, until } from '@mediagate/testkit';
import { ensureRedis, freePort, startRedis } from '@mediagate/testkit/servers';
import { Redis } from 'ioredis';
import { startRedisCluster } from './servers/redis-cluster';
import { startRedisSentinels } from './servers/redis-sentinels';
import { type Certificates, makeCertificates, tlsSettings } from './servers/redis-tls';

interface Servers {
  url: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const [USER, PASSWORD] = ['mediagate', 'for-tests'];
/** As docs/deployment.md names them. */
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-@dangerous', '+info', '+client'];

/** Errors reported for a certificate that is not trusted, and for a wrong password. */
interface Reports {
  untrusted: RegExp;
  wrongPassword: RegExp;
}

/** The client of a cluster reports no more than that no server let it in, and that of Sentinels that none did. */
const KINDS: [string, (directory: string, certificates: Certificates) => Promise<Servers>, Reports][] = [
  ['rediss://', startOne, { untrusted: /certificate|signature/i, wrongPassword: /WRONGPASS/ }],
  ['rediss+sentinel://', startWatched, { untrusted: /All sentinels are unreachable/, wrongPassword: /WRONGPASS/ }],
  ['rediss+cluster://', startMany, { untrusted: /refresh slots cache/, wrongPassword: /refresh slots cache/ }],
];

async function startOne(directory: string, certificates: Certificates): Promise<Servers> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const program = await ensureRedis((line) => void process.stderr.write(`${line}\n`));
  const settings = tlsSettings(certificates, tlsPort);
  const server = await startRedis({ program, directory, port, durable: false, settings });
  await addLogin(port);
  return { url: `rediss://${USER}:${PASSWORD}@${HOST}:${tlsPort}`, stop: () => server.stop() };
}

async function startWatched(directory: string, certificates: Certificates): Promise<Servers> {
  const { url, ports, stop } = await startRedisSentinels(directory, { certificates });
  await Promise.all(ports.map(addLogin));
  return { url: url.replace('://', `://${USER}:${PASSWORD}@`), stop };
}

/** It has that login already. */
function startMany(directory: string, certificates: Certificates): Promise<Servers> {
  return startRedisCluster(directory, { certificates });
}

async function addLogin(port: number): Promise<void> {
  const ask = new Redis(port, HOST);
  await ask.call('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, ...RIGHTS);
  ask.disconnect();
}

describe.each(KINDS)('a Redis over TLS, by %s', (_scheme, start, { untrusted, wrongPassword }) => {
  const known = getCACertificates('default');
  let directory: string;
  let certificates: Certificates;
  let servers: Servers;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mediagate-tls-'));
    certificates = makeCertificates();
    servers = await start(directory, certificates);
  });
  afterEach(() => setDefaultCACertificates(known));
  afterAll(async () => {
    await servers?.stop();
    certificates?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  /** As NODE_EXTRA_CA_CERTS does at the start of a process. */
  const trust = (authority: string) => setDefaultCACertificates([...known, readFileSync(authority, 'utf8')]);

  it('carries jobs for who trusts its authority and has a login', async () => {
    trust(certificates.authority);
    const queues = openQueues({ redisUrl: servers.url, prefix: uniquePrefix() });
    const taken: TaskId[] = [];
    const consumer = queues.consumeTasks('image', async ({ taskId }) => void taken.push(taskId), { concurrency: 1 });
    const taskId = newTaskId();
    try {
      await until(() =>
        queues.ping('image').then(
          () => true,
          () => false,
        ),
      );
      await queues.enqueueTask({ family: 'image', taskId, fence: 0 });
      await until(async () => taken.includes(taskId));
      expect((await queues.servers()).map(({ role }) => role)).toContain('master');
    } finally {
      await consumer.close();
      await queues.close();
    }
  });

  it.each([
    ['another authority than its own', () => makeCertificates()],
    ['no authority of its own', () => undefined],
  ])('is refused by who trusts %s, and the error says so and shows no password', async (_what, make) => {
    const other = make();
    if (other) trust(other.authority);
    expect(await failureOf(servers.url, untrusted)).toMatch(untrusted);
    other?.remove();
  });

  it('refuses a wrong password, and the error says so and does not show it', async () => {
    trust(certificates.authority);
    const url = servers.url.replace(PASSWORD, 'not-the-one');
    expect(await failureOf(url, wrongPassword)).toMatch(wrongPassword);
  });

  /** The first error of that kind that whoever opened the queues hears of. */
  async function failureOf(redisUrl: string, reason: RegExp): Promise<string> {
    const messages: string[] = [];
    const onError = ({ message }: Error) => void messages.push(message);
    const queues = openQueues({ redisUrl, prefix: uniquePrefix(), onError });
    try {
      await expect(queues.ping('image')).rejects.toThrow();
      await until(async () => messages.some((message) => reason.test(message)));
    } finally {
      await queues.close();
    }
    expect(messages.join('\n')).not.toMatch(new RegExp(`${PASSWORD}|not-the-one`));
    return messages.find((message) => reason.test(message)) ?? '';
  }
});
