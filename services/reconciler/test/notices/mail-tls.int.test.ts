import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMailer } from '@mediagate/notices';
import { findProgram } from '@mediagate/testkit';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const MAIL = { id: 'message_1', to: 'ops@gateway.example', subject: 's', text: 't', language: 'en' };

let cert: string;
let key: string;
const servers: SMTPServer[] = [];

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-mail-'));
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const openssl = findProgram('openssl') ?? '';
  execFileSync(openssl, ['req', '-x509', ...curve, ...names, '-keyout', keyPath, '-out', certPath], {
    stdio: 'ignore',
  });
  [cert, key] = [readFileSync(certPath, 'utf8'), readFileSync(keyPath, 'utf8')];
  rmSync(folder, { recursive: true });
});
afterEach(() =>
  Promise.all(servers.splice(0).map((server) => new Promise<void>((done) => server.close(() => done())))),
);

/** Notes of each mail whether it came over TLS. */
async function listen(options: SMTPServerOptions): Promise<{ port: number; received: boolean[] }> {
  const received: boolean[] = [];
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    ...options,
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        received.push(session.secure);
        done();
      });
    },
  });
  // A client that does not trust the certificate hangs up.
  server.on('error', () => undefined);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { port: (server.server.address() as AddressInfo).port, received };
}

describe('mail', () => {
  it.each([
    { scheme: 'smtp', secure: false, way: 'after STARTTLS' },
    { scheme: 'smtps', secure: true, way: 'over TLS from the beginning' },
  ])('goes $way, and nowhere where the certificate is not trusted', async ({ scheme, secure }) => {
    const { port, received } = await listen({ secure });
    const options = { url: `${scheme}://127.0.0.1:${port}`, from: 'notices@gateway.example', timeoutMs: 60_000 };
    expect(await createMailer(options).send(MAIL)).toMatchObject({ kind: 'failed' });
    expect(received).toEqual([]);
    expect(await createMailer({ ...options, ca: cert }).send(MAIL)).toEqual({ kind: 'sent' });
    expect(received).toEqual([true]);
  });

  it('goes to no server that offers no STARTTLS, unless the URL allows it', async () => {
    const { port, received } = await listen({ disabledCommands: ['STARTTLS'] });
    const options = { from: 'notices@gateway.example', timeoutMs: 60_000 };
    const send = (query: string) => createMailer({ ...options, url: `smtp://127.0.0.1:${port}${query}` }).send(MAIL);
    expect(await send('')).toMatchObject({ kind: 'failed', reason: 'smtp_etls' });
    expect(await send('?tls=off')).toEqual({ kind: 'sent' });
    expect(received).toEqual([false]);
  });
});
