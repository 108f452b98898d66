import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findProgram } from '@mediagate/testkit';

/** A vendor behind TLS, whose certificate can end and be renewed. */
export interface ExpiringVendor {
  url: string;
  /** Both certificates, for who trusts them. */
  trusted: string;
  /** Where the calls go on to. */
  forwardTo(url: string): void;
  end(): void;
  renew(): void;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;

export async function startExpiringVendor(folder: string): Promise<ExpiringVendor> {
  const [ended, valid] = [certificate(folder, -2), certificate(folder, 0)];
  const trusted = join(folder, 'trusted.pem');
  writeFileSync(trusted, ended.cert + valid.cert);
  let target = '';
  const server = createServer(valid, (incoming, response) => {
    const { method, headers } = incoming;
    const onward = request(`${target}${incoming.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const present = (certified: { key: string; cert: string }) => {
    server.setSecureContext(certified);
    // Connections that are kept open would not look at the new one.
    server.closeAllConnections();
  };
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trusted,
    forwardTo(url) {
      target = url;
    },
    end: () => present(ended),
    renew: () => present(valid),
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Signed by itself, for a day that begins so many days from now. */
function certificate(folder: string, inDays: number): { key: string; cert: string } {
  const at = (name: string) => join(folder, `vendor${inDays}.${name}`);
  const run = (...words: string[]) => execFileSync(findProgram('openssl') ?? 'openssl', words, { stdio: 'pipe' });
  writeFileSync(at('cnf'), AUTHORITY.replaceAll('FOLDER', folder).replace('INDEX', at('index')));
  writeFileSync(at('index'), '');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  run('req', '-new', ...curve, '-subj', '/CN=127.0.0.1', '-keyout', at('key'), '-out', at('csr'));
  const moment = (days: number) =>
    `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  const times = ['-startdate', moment(inDays - 1), '-enddate', moment(inDays + 1)];
  const files = ['-config', at('cnf'), '-keyfile', at('key'), '-in', at('csr'), '-out', at('pem'), '-notext'];
  run('ca', '-batch', '-selfsign', ...times, ...files);
  return { key: readFileSync(at('key'), 'utf8'), cert: readFileSync(at('pem'), 'utf8') };
}

const AUTHORITY = `[ca]
default_ca = own
[own]
database = INDEX
new_certs_dir = FOLDER
default_md = sha256
rand_serial = yes
policy = any
x509_extensions = server
[any]
commonName = supplied
[server]
subjectAltName = IP:127.0.0.1
`;
