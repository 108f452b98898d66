import type { Signer } from '@mediagate/provenance';
import { Gauge, type Registry } from 'prom-client';

/** The states of a certificate, the gravest first. */
const SIGNING_STATES = ['revoked', 'ended', 'not_begun', 'ending', 'development', 'incomplete_chain', 'valid'] as const;
/** So long before its end a certificate is to be changed. */
const WARNING_MS = 30 * 24 * 3_600_000;
const DEVELOPMENT = 'mediagate development (untrusted)';

export function signingStateOf(signer: Signer, now: Date): (typeof SIGNING_STATES)[number] {
  if (signer.isRevoked) return 'revoked';
  if (now >= signer.validTo) return 'ended';
  if (now < signer.validFrom) return 'not_begun';
  if (signer.validTo.getTime() - now.getTime() < WARNING_MS) return 'ending';
  if (signer.subject === DEVELOPMENT) return 'development';
  return signer.hasAuthorities ? 'valid' : 'incomplete_chain';
}

/** The pair that signs. */
interface Measured {
  signer: Signer;
  /** A pair that was put in its place does not fit. */
  isChangeRefused: boolean;
}

/** Registers what a certificate is measured by, without a value until there is one. */
export function measureSigner(register: Registry, clock: () => Date): (measured: Measured) => void {
  let measured: Measured | undefined;
  new Gauge({
    name: 'mediagate_signing_certificate_end_timestamp_seconds',
    help: 'Unix time at which the certificate that signs results ends; absent: there is none.',
    registers: [register],
    collect() {
      if (measured === undefined) this.remove();
      else this.set(measured.signer.validTo.getTime() / 1000);
    },
  });
  new Gauge({
    name: 'mediagate_signing_state',
    help: '1 for the state of the certificate that signs results, 0 for all other states; absent: there is none.',
    registers: [register],
    labelNames: ['state'],
    collect() {
      if (measured === undefined) return;
      const current = signingStateOf(measured.signer, clock());
      for (const state of SIGNING_STATES) this.set({ state }, Number(state === current));
    },
  });
  new Gauge({
    name: 'mediagate_signing_change_refused',
    help: '1 while the present certificate and key, or lists of revoked certificates, are refused, so that the former ones stay in use; absent: there are none.',
    registers: [register],
    collect() {
      if (measured === undefined) this.remove();
      else this.set(Number(measured.isChangeRefused));
    },
  });
  return (followed) => {
    measured = followed;
  };
}
