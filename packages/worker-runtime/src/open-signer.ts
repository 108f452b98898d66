import { type MarkPolicy, SECRET_NAME } from '@mediagate/contracts';
import { ConfigError, type Logger, rereadSecret, type Scope } from '@mediagate/host';
import { openSigner, type Signer, SignerError } from '@mediagate/provenance';
import { signingSettings, type WorkerConfig } from './worker-settings';

type Variable = keyof typeof signingSettings;
export const VARIABLES = {
  certificate: 'MEDIAGATE_SIGNING_CERTIFICATE',
  key: 'MEDIAGATE_SIGNING_KEY',
  revocations: 'MEDIAGATE_SIGNING_REVOCATIONS',
} as const;
export type SigningPair = Pick<WorkerConfig, typeof VARIABLES.certificate | typeof VARIABLES.key>;

export interface SigningPems {
  pair: SigningPair;
  /** Lists of revoked certificates. */
  lists: string | undefined;
}

/** Reads the PEM of a variable as it is now; undefined: there is none. */
export type ReadPem = (variable: Variable) => Promise<string | undefined>;

const STORED = new RegExp(`^secret:(${SECRET_NAME})$`);

/**
 * Reads from files where the environment names files, and what the database keeps sealed in place of `secret:…`. The function throws
 * ConfigError naming the variable whose file cannot be read or whose secret is not there.
 */
export function createPemReader(
  config: Pick<WorkerConfig, Variable>,
  readSecret: (name: string) => Promise<string | undefined>,
): ReadPem {
  return async (variable) => {
    const text = (await rereadSecret(variable)) ?? config[variable];
    const name = STORED.exec(text ?? '')?.[1];
    if (name === undefined) return text;
    const value = await readSecret(name);
    if (value !== undefined) return value;
    throw new ConfigError([
      `${variable} names the secret ${name}, which is not there, cannot be opened here, or does not begin with signing.`,
    ]);
  };
}

export async function readPair(read: ReadPem): Promise<SigningPair> {
  return {
    [VARIABLES.certificate]: await read(VARIABLES.certificate),
    [VARIABLES.key]: await read(VARIABLES.key),
  };
}

/** Neither the certificate nor the key is given. */
export function isAbsent(pair: SigningPair): boolean {
  return pair[VARIABLES.certificate] === undefined && pair[VARIABLES.key] === undefined;
}

/** Opens a pair. @throws ConfigError naming the variable that is missing or does not fit. */
export function openPair({ pair, lists }: SigningPems): Signer {
  const pems = { certificate: pemIn(pair, VARIABLES.certificate), key: pemIn(pair, VARIABLES.key), revocations: lists };
  try {
    return openSigner(pems);
  } catch (error) {
    if (!(error instanceof SignerError)) throw error;
    throw new ConfigError([`${VARIABLES[error.about]} ${error.message}`]);
  }
}

function pemIn(pair: SigningPair, name: keyof SigningPair): string {
  const value = pair[name];
  if (value !== undefined) return value;
  throw new ConfigError([`${name} is missing: ${signingSettings[name].about}`]);
}

/** No result may go out that is not signed. */
function isAwaited({ marks, unmarked }: MarkPolicy): boolean {
  return marks === 'signed' && unmarked === 'fail';
}

/** Why a signature of this moment would not count; undefined: it counts. */
export function problemOf(signer: Signer | undefined, now: Date): string | undefined {
  if (signer === undefined) return 'the service has no certificate';
  const { isRevoked, validFrom, validTo } = signer;
  if (isRevoked) return 'the certificate of the service was revoked';
  if (now >= validTo) return `the certificate of the service ended at ${validTo.toISOString()}`;
  return now < validFrom ? `the certificate of the service begins at ${validFrom.toISOString()}` : undefined;
}

/**
 * Says why this worker begins nothing that is to be marked so: its results must be signed, and a signature would not count. Undefined:
 * nothing is in the way. Where the whole deployment wants that, the process is not ready meanwhile; the log has a line when it begins.
 */
export function watchSigner(
  currentSigner: () => Signer | undefined,
  deployment: MarkPolicy,
  { scope, clock }: { scope: Pick<Scope, 'addReadinessCheck'> & { logger: Pick<Logger, 'error'> }; clock(): Date },
): (policy: MarkPolicy) => string | undefined {
  let isReported = false;
  const look = (policy: MarkPolicy) => {
    if (!isAwaited(policy)) return undefined;
    const problem = problemOf(currentSigner(), clock());
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
