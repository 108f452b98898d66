import { type MarkPolicy, SECRET_NAME } from '@mediagate/contracts';
import { ConfigError, type Logger, type Scope } from '@mediagate/host';
import { openSigner, type Signer, SignerError } from '@mediagate/provenance';
import type { Registry } from 'prom-client';
import { signingSettings } from './signing-settings';
import { signerGauges } from './signing-state';
import type { WorkerConfig } from './worker-settings';

type Variable = keyof typeof signingSettings;
type Pair = Pick<WorkerConfig, Variable>;
const VARIABLES = { certificate: 'MEDIAGATE_SIGNING_CERTIFICATE', key: 'MEDIAGATE_SIGNING_KEY' } as const;

const STORED = new RegExp(`^secret:(${SECRET_NAME})$`);

/** Puts what the database keeps sealed in place of `secret:…`. @throws ConfigError naming the variable whose secret is not there. */
export async function withStoredPair(config: Pair, read: (name: string) => Promise<string | undefined>): Promise<Pair> {
  const pair = { ...config };
  for (const variable of Object.values(VARIABLES)) {
    const name = STORED.exec(config[variable] ?? '')?.[1];
    if (name === undefined) continue;
    const value = await read(name);
    if (value === undefined)
      throw new ConfigError([
        `${variable} names the secret ${name}, which is not there, cannot be opened here, or does not begin with signing.`,
      ]);
    pair[variable] = value;
  }
  return pair;
}

/**
 * Opens the operator's certificate and key where there is one, for accounts may want signed results where the deployment does not. One
 * that has ended stops no worker, unless results that are not signed are none.
 *
 * @throws ConfigError naming the variable that does not fit.
 */
export function openResultSigner(
  config: Pair,
  { marks, unmarked }: MarkPolicy,
  { register, logger, clock }: { register: Registry; logger: Pick<Logger, 'info' | 'warn'>; clock(): Date },
): Signer | undefined {
  const measure = signerGauges(register, clock);
  if (marks !== 'signed' && Object.values(VARIABLES).every((name) => config[name] === undefined)) return undefined;
  const signer = signerOf({ certificate: pemIn(config, VARIABLES.certificate), key: pemIn(config, VARIABLES.key) });
  const problem = problemOf(signer, clock());
  if (problem !== undefined && isAwaited({ marks, unmarked }))
    throw new ConfigError([`${VARIABLES.certificate}: ${problem}`]);
  measure(signer);
  const detail = `results are signed as ${signer.subject ?? 'nobody'} until ${signer.validTo.toISOString()}`;
  if (problem === undefined) logger.info('results.signed', { detail });
  else logger.warn('results.unsigned', { detail: `${VARIABLES.certificate}: ${problem}` });
  return signer;
}

/** No result may go out that is not signed. */
function isAwaited({ marks, unmarked }: MarkPolicy): boolean {
  return marks === 'signed' && unmarked === 'fail';
}

/** Why a signature of this moment would not count; undefined: it counts. */
export function problemOf(signer: Signer | undefined, now: Date): string | undefined {
  if (signer === undefined) return 'the service has no certificate';
  const { validFrom, validTo } = signer;
  if (now >= validTo) return `the certificate of the service ended at ${validTo.toISOString()}`;
  return now < validFrom ? `the certificate of the service begins at ${validFrom.toISOString()}` : undefined;
}

/**
 * Says why this worker begins nothing that is to be marked so: its results must be signed, and a signature would not count. Undefined:
 * nothing is in the way. Where the whole deployment wants that, the process is not ready meanwhile; the log has a line when it begins.
 */
export function watchSigner(
  signer: Signer | undefined,
  deployment: MarkPolicy,
  { scope, clock }: { scope: Pick<Scope, 'addReadinessCheck'> & { logger: Pick<Logger, 'error'> }; clock(): Date },
): (policy: MarkPolicy) => string | undefined {
  let isReported = false;
  const look = (policy: MarkPolicy) => {
    if (!isAwaited(policy)) return undefined;
    const problem = problemOf(signer, clock());
    if (problem !== undefined && !isReported) {
      scope.logger.error('results.held_back', {
        detail: `nothing that must be signed is begun: ${VARIABLES.certificate}: ${problem}`,
      });
    }
    isReported = problem !== undefined;
    return problem;
  };
  scope.addReadinessCheck('signing', async () => {
    const problem = look(deployment);
    if (problem !== undefined) throw new Error(problem);
  });
  return look;
}

function signerOf(pair: Parameters<typeof openSigner>[0]): Signer {
  try {
    return openSigner(pair);
  } catch (error) {
    if (!(error instanceof SignerError)) throw error;
    throw new ConfigError([`${VARIABLES[error.about]} ${error.message}`]);
  }
}

function pemIn(config: Pair, name: Variable): string {
  const value = config[name];
  if (value !== undefined) return value;
  throw new ConfigError([`${name} is missing: ${signingSettings[name].about}`]);
}
