import type { Command } from 'commander';

/** What users call, and what the script that it prints calls. */
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
