import { CommanderError } from 'commander';
import { addCompletion } from './commands/completion';
import { FaultyAnswer } from './faulty-answer';
import { database, host } from './packages';
import { createProgram } from './program';
import { Refusal } from './refusal';
import { openSession, reasonOf, type Surroundings } from './session';
import { UsageError } from './usage-error';

const OK = 0;
const REFUSED = 1;
const USAGE = 2;

/**
 * Runs one command line, without the program's own name, and resolves to the exit code: 0 done, 1 refused or faults found,
 * 2 not understood. Results go to `stdout`, everything else to `stderr`. Never rejects.
 */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const session = openSession(surroundings);
  try {
    const program = createProgram(session, surroundings);
    await addCompletion(program, words);
    await program.parseAsync(words, { from: 'user' });
    return session.exitCode();
  } catch (error) {
    // Commander has reported it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE;
    if (error instanceof FaultyAnswer) {
      session.print(error.answer);
      return session.exitCode();
    }
    surroundings.stderr(`mediagate: ${explain(error)}\n`);
    return error instanceof UsageError || isConfigError(error) ? USAGE : REFUSED;
  } finally {
    await session.close();
  }
}

function isConfigError(error: unknown): error is Error {
  return error instanceof host().ConfigError;
}

function explain(error: unknown): string {
  if (error instanceof Refusal || error instanceof UsageError || isConfigError(error)) return error.message;
  const { DatabaseConflictError, DatabaseUnavailableError, sqlState } = database();
  if (error instanceof DatabaseConflictError) return 'the row is in use at this moment: try again';
  if (error instanceof DatabaseUnavailableError) {
    return `the database stopped answering (${reasonOf(error)}): look before you try again, it may have been done`;
  }
  if (sqlState(error) === NUMBER_OUT_OF_RANGE) return 'the amount is beyond what an account can hold';
  return `this should not happen: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}

const NUMBER_OUT_OF_RANGE = '22003';
