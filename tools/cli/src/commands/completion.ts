import type { Command } from 'commander';

/** The word that users call, and the word that the printed script calls. */
const WORDS = ['completion', 'complete'];

/** To be added last: it completes what was added before it. */
export async function addCompletion(program: Command, words: readonly string[]): Promise<void> {
  if (!WORDS.includes(words[0] ?? '')) {
    program.command('completion').description('print a completion script for bash, zsh, fish or powershell');
    return;
  }
  const { default: addCommands } = await import('@bomb.sh/tab/commander');
  addCommands(program, { completionCommandName: 'completion' });
}
