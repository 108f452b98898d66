import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FAMILIES, FAMILY_TRAITS } from '@mediagate/contracts';
import type { Adapter } from './contract';
import { kit } from './kit';
import type { CreateProtocol } from './protocol';
import { NO_CLIENTS, type Protocols } from './registry';

/** The version of the contract that packages are written for. */
const CONTRACT = 1;

export type LoadedProtocol =
  /** `file` is the package's main file; `protocols` are those before, and it. */
  | { protocol: string; file: string; protocols: Protocols }
  /** For the operator. */
  | { fault: string };

/**
 * Loads a package that exports a protocol, beside those that there are.
 *
 * @param name of the package, or a path
 * @param folder from which Node looks for it
 */
export function loadProtocol(name: string, folder: string, protocols: Protocols): LoadedProtocol {
  const require = createRequire(join(folder, 'protocols.js'));
  try {
    const file = require.resolve(name);
    const known = [...protocols].find(([, { origin }]) => origin === file);
    if (known !== undefined) return { protocol: known[0], file, protocols };
    return register(require(file), file, protocols);
  } catch (error) {
    return { fault: `cannot be loaded: ${firstLine(error)}` };
  }
}

interface PackageModule {
  contract?: unknown;
  default?: CreateProtocol;
}

function register({ contract, default: create }: PackageModule, file: string, protocols: Protocols): LoadedProtocol {
  if (contract !== CONTRACT) {
    const its = contract === undefined ? 'does not say its contract' : `is written for contract ${contract}`;
    return {
      fault: `${its}: this version of mediagate has contract ${CONTRACT} (export const contract = ${CONTRACT})`,
    };
  }
  if (typeof create !== 'function') return { fault: 'must export by default a function that creates the adapter' };
  const made = create({ ...NO_CLIENTS, kit });
  const fault = shapeFault(made as Partial<Record<keyof Adapter, unknown>>);
  if (fault !== undefined) return { fault };
  const { protocol } = made;
  const other = protocols.get(protocol)?.origin;
  if (other !== undefined) return { fault: `has the protocol ${protocol}, which ${other} has already` };
  const registered = { create, origin: file, isOwn: false, description: made };
  return { protocol, file, protocols: new Map([...protocols, [protocol, registered]]) };
}

const WORKED: readonly unknown[] = FAMILIES.filter((family) => FAMILY_TRAITS[family].hasWorker);
const AFTER_LOST_ANSWER: readonly unknown[] = ['never', 'idempotent', 'lookup'];
/** The word of channels for a protocol. */
export const PROTOCOL_WORD = {
  pattern: /^[a-z][a-z0-9-]{0,63}$/,
  rule: 'at most 64 lower-case letters, digits and "-", a letter first',
};

/** Finds the faults that a compiler would have found: packages come without types. */
function shapeFault(made: Partial<Record<keyof Adapter, unknown>>): string | undefined {
  const { protocol, families, afterLostAnswer, lookup } = made;
  if (typeof protocol !== 'string' || !PROTOCOL_WORD.pattern.test(protocol)) {
    return `has no protocol of ${PROTOCOL_WORD.rule}`;
  }
  const serves = Array.isArray(families) && families.length > 0 && families.every((family) => WORKED.includes(family));
  if (!serves) return `families must be some of ${WORKED.join(', ')}`;
  if (!AFTER_LOST_ANSWER.includes(afterLostAnswer)) {
    return `afterLostAnswer must be one of ${AFTER_LOST_ANSWER.join(', ')}`;
  }
  if (afterLostAnswer === 'lookup' && typeof lookup !== 'function') return 'has no lookup, which afterLostAnswer names';
  const missing = (['start', 'checkOptions'] as const).find((name) => typeof made[name] !== 'function');
  return missing === undefined ? undefined : `has no function ${missing}`;
}

function firstLine(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  const [line = ''] = String(message ?? error).split('\n');
  return line;
}
