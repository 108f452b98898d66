import { DatabaseConflictError, DatabaseUnavailableError, sqlState } from '@mediagate/database';
import { ConfigError } from '@mediagate/host';
import { CommanderError } from 'commander';
import { createProgram } from './program';
import { Refusal } from './refusal';
import { openSession, reasonOf, type Session, type Surroundings } from './session';

const OK = 0;
const REFUSED = 1;
const USAGE = 2;

/**
 * Runs one command line, without the program's own name, and resolves to the exit code: 0 done, 1 refused or faults found,
 * 2 not understood. Results go to `stdout`, everything else to `stderr`. Never rejects.
 */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  let session: Session | undefined;
  try {
    session = openSession(surroundings);
    await createProgram(session, surroundings).parseAsync(words, { from: 'user' });
    return session.exitCode();
  } catch (error) {
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE;
    surroundings.stderr(`mediagate: ${explain(error)}\n`);
    return error instanceof ConfigError ? USAGE : REFUSED;
  } finally {
    await session?.close();
  }
}

function explain(error: unknown): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  if (error instanceof DatabaseConflictError) return 'the row is in use at this moment: try again';
  if (error instanceof DatabaseUnavailableError) {
    return `the database stopped answering (${reasonOf(error)}): look before you try again, it may have been done`;
  }
  if (sqlState(error) === NUMBER_OUT_OF_RANGE) return 'the amount is beyond what an account can hold';
  return `this should not happen: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}

const NUMBER_OUT_OF_RANGE = '22003';
