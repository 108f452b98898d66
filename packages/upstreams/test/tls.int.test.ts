import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findProgram } from '@mediagate/testkit';
import { createHttpClient, type HttpClient } from '../src';

const trusted = getCACertificates('default');
let folder: string;
let certificate: string;
let vendor: Server;
let http: HttpClient;
const resumed: boolean[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mediagate-tls-'));
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', keyPath, '-out', certPath];
  execFileSync(findProgram('openssl') ?? '', ['req', '-x509', ...curve, ...names, ...files], { stdio: 'ignore' });
  certificate = readFileSync(certPath, 'utf8');
  vendor = createServer({ cert: certificate, key: readFileSync(keyPath) }, (_, response) => {
    response.writeHead(200, { connection: 'close' }).end('{}');
  });
  vendor.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
  http = createHttpClient();
});
afterEach(() => http.close());
afterAll(async () => {
  setDefaultCACertificates(trusted);
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => vendor.close(resolve));
});

function ask() {
  const { port } = vendor.address() as AddressInfo;
  return http.send({
    method: 'GET',
    url: `https://localhost:${port}/`,
    headers: { authorization: 'Bearer secret' },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    maxResponseBytes: 1_000,
  });
}

it('a vendor whose certificate nobody vouches for is sent nothing', async () => {
  expect(await ask()).toEqual({ kind: 'lost', sent: false, why: 'network', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

it('each connection resumes the TLS session of the one before', async () => {
  setDefaultCACertificates([...trusted, certificate]);
  for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ kind: 'answer', status: 200 });
  expect(resumed).toEqual([false, true, true]);
});
