import { openVendorSealer, readSigningSecret } from '@mediagate/channels';
import { createPemReader, isAbsent, openPair, readPair, signingStateOf } from '@mediagate/worker-runtime';
import { type Check, type Finding, NotLookedAt } from './check';
import type { Examined } from './examined';

/** The certificate that signs results, opened as a worker opens it. */
export function certificateCheck(examined: Examined): Check {
  return { name: 'certificate of results', look: () => certificateFindings(examined) };
}

const RUNBOOK = 'results-unmarked.md';

async function certificateFindings({ session, config, database, opened }: Examined): Promise<Finding[]> {
  const read = createPemReader(config, async (name) =>
    readSigningSecret({ database: await database(), sealer: openVendorSealer(session.deployment.sealing()) }, name),
  );
  const pair = await readPair(read);
  if (isAbsent(pair)) {
    if (opened().settings.media.marks === 'signed')
      throw new NotLookedAt('MEDIAGATE_SIGNING_CERTIFICATE is not set here: run this command where a worker runs');
    return [{ state: 'ok', found: 'there is none, and the configuration file asks for no signature' }];
  }
  const signer = openPair({ pair, lists: await read('MEDIAGATE_SIGNING_REVOCATIONS') });
  const state = signingStateOf(signer, new Date());
  const found = `of ${signer.subject ?? 'nobody'}, until ${signer.validTo.toISOString().slice(0, 10)}`;
  return [
    {
      ...STATES[state],
      found: [found, ...(SAYS[state] ?? [])].join(': '),
      ...(state === 'valid' ? {} : { runbook: RUNBOOK }),
    },
  ];
}

const NEW = 'Put a new certificate and its key in their place; workers take them up within half a minute.';
const STATES = {
  revoked: { state: 'fault', action: NEW },
  ended: { state: 'fault', action: NEW },
  not_begun: { state: 'fault', action: 'Correct the clock of this machine, or wait.' },
  ending: { state: 'warning', action: NEW },
  development: { state: 'warning', action: 'Use the certificate of an authority that readers trust.' },
  incomplete_chain: { state: 'warning', action: 'Put the certificates of its authorities behind it.' },
  valid: { state: 'ok' },
} as const;
const SAYS: Readonly<Partial<Record<keyof typeof STATES, string[]>>> = {
  revoked: ['it was revoked'],
  ended: ['it has ended'],
  not_begun: ['it has not begun'],
  ending: ['it ends soon'],
  development: ['it is for development'],
  incomplete_chain: ['nobody stands behind it'],
};
