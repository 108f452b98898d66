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
  handDownOptions(program);
  addCommands(program, { completionCommandName: 'completion' });
}

/** The completion knows a command's own options alone: each gets those of its groups and of the program, too. */
function handDownOptions(group: Command): void {
  for (const command of group.commands) {
    for (const option of group.options) {
      if (option.long !== '--version') command.addOption(option);
    }
    handDownOptions(command);
  }
}
