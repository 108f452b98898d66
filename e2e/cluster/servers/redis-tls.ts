import { type Certificates, makeCertificates } from '../../../tools/deployment/test/certificates';

export type { Certificates };
export { makeCertificates };

/** Settings of a server, or a Sentinel, that also speaks TLS on a second port. A test itself uses the plain one. */
export function tlsSettings({ authority, certificate, key }: Certificates, port: number): Record<string, string> {
  return {
    'tls-port': String(port),
    'tls-cert-file': certificate,
    'tls-key-file': key,
    'tls-ca-cert-file': authority,
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
  };
}
