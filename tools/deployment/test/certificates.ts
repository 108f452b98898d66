import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@mediagate/testkit';
import { findServerUser } from '@mediagate/testkit/servers';

export interface Certificates {
  /** The certificate of the authority that signed the server's. */
  authority: string;
  certificate: string;
  key: string;
  remove(): void;
}

/** An authority of its own and a server's certificate for 127.0.0.1, readable by the servers' user. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-certificates-'));
  const [authority, authorityKey] = [join(folder, 'ca.pem'), join(folder, 'ca.key')];
  const [certificate, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  const openssl = findProgram('openssl');
  if (openssl === undefined) throw new Error('openssl is not here and cannot be installed');
  const make = (...args: string[]) => execFileSync(openssl, ['req', '-x509', '-days', '2', ...KEY, ...args], QUIET);
  make('-subj', '/CN=test authority', '-keyout', authorityKey, '-out', authority);
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-addext', 'subjectAltName=IP:127.0.0.1'];
  make(...signed, ...LEAF, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', certificate);
  // PostgreSQL takes no key that others can read.
  chmodSync(key, 0o600);
  chmodSync(folder, 0o755);
  const user = findServerUser();
  if (user) for (const path of [certificate, key]) chownSync(path, user.uid, user.gid);
  return { authority, certificate, key, remove: () => rmSync(folder, { recursive: true }) };
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
const LEAF = ['-addext', 'basicConstraints=critical,CA:FALSE'];
const QUIET = { stdio: 'ignore' as const };
